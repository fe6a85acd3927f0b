import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import type { DeedRow } from './deed-row.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();
const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};

/** Rows for the deeds of operators on whole accounts: a credit taken back, marks, secrets, exports, erasures. */
export function accountRows(service: TestService): readonly DeedRow[] {
  const { call, keys } = service;
  const admin = { admin: keys.admin };
  let names = 0;
  const account = async () => {
    const id = `whole-${++names}`;
    await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: id, name: id });
    return id;
  };
  const audited = async (act: string) => (await call(keys.admin, 'GET', `/admin/v1/audit?act=${act}&limit=100`)).data;
  const actsOf = async (act: string, target: string) =>
    (await audited(act)).items.filter((entry: { readonly target: string | null }) => entry.target === target).length;

  return [
    {
      name: 'a credit that is taken back',
      covers: ['pages/money/credits-view.tsx POST /admin/v1/credits/{credit_id}/take_back'],
      method: 'POST',
      request: /\/take_back$/,
      isContinued: true,
      untrue: ['The credit was not taken back'],
      async prepare() {
        const id = await account();
        await call(keys.admin, 'POST', `/admin/v1/accounts/${id}/credit`, { amount: '10' });
        return {
          keys: admin,
          at: '/money/credits',
          count: async () => 1 - Number((await call(keys.admin, 'GET', `/admin/v1/accounts/${id}`)).data.balance) / 10,
          press: async (page) => {
            await page.getByRole('button', { name: `Take back $10.00 of ${id}` }).click();
            await submit('Take back')(page);
          },
          again: submit('Take back'),
          doneWords: (page) =>
            page
              .getByRole('row', { name: new RegExp(id) })
              .getByText(/^Taken back/)
              .waitFor(),
        };
      },
    },
    {
      name: 'the rule about data of an account',
      covers: ['pages/people/account-rule-form.tsx PUT /admin/v1/accounts/{account_id}/data_rules'],
      method: 'PUT',
      request: /\/data_rules$/,
      untrue: ['The rule was not saved'],
      async prepare() {
        const id = await account();
        return {
          keys: admin,
          at: '/people/accounts',
          count: async () => (await call(keys.admin, 'GET', `/admin/v1/accounts/${id}/data_rules`)).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: `Data of ${id}`, exact: true }).click();
            await page.getByRole('dialog').getByLabel('Kept for at most so many days').fill('0');
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => page.getByText(/^The rule is saved/).waitFor(),
        };
      },
    },
    {
      name: 'the marking of an account',
      covers: ['pages/people/accounts-view.tsx PUT /admin/v1/accounts/{account_id}/provenance'],
      method: 'PUT',
      request: /\/provenance$/,
      untrue: ['The marking was not changed'],
      async prepare() {
        const id = await account();
        return {
          keys: admin,
          at: '/people/accounts',
          count: async () => {
            const { data } = await call(keys.admin, 'GET', `/admin/v1/accounts/${id}/provenance`);
            return data.setting === 'metadata' ? 1 : 0;
          },
          press: async (page) => {
            await page.getByRole('button', { name: `Marking of ${id}`, exact: true }).click();
            await choose(page, 'Mark', 'Metadata (XMP)');
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => page.getByText(`The marking of ${id} is changed.`).waitFor(),
        };
      },
    },
    {
      name: 'a rotation of the signing secrets',
      covers: ['pages/people/keys-view.tsx POST /admin/v1/signing_secrets/rotate'],
      method: 'POST',
      request: /\/signing_secrets\/rotate$/,
      isContinued: true,
      untrue: ['The signing secrets were not rotated'],
      async prepare() {
        const rotations = async () => (await audited('signing_secrets.rotate')).items.length;
        const before = await rotations();
        return {
          keys: admin,
          at: '/people/keys',
          count: async () => (await rotations()) - before,
          press: async (page) => {
            await page.getByRole('button', { name: 'Rotate the signing secrets' }).click();
            await submit('Rotate')(page);
          },
          again: submit('Rotate'),
          doneWords: (page) => page.getByText(/^The signing secrets are rotated/).waitFor(),
        };
      },
    },
    {
      name: 'an export',
      covers: ['pages/people/privacy-view.tsx POST /admin/v1/exports'],
      method: 'POST',
      request: /\/admin\/v1\/exports$/,
      isContinued: true,
      untrue: ['The export was not begun'],
      async prepare() {
        const id = await account();
        const begin = (page: Page) => page.getByRole('button', { name: 'Begin the export' }).click();
        return {
          keys: admin,
          at: '/people/privacy',
          count: () => actsOf('account.export', id),
          press: async (page) => {
            await choose(page, 'Account', id);
            await begin(page);
          },
          again: begin,
          doneWords: (page) => page.getByRole('button', { name: 'Download the archive' }).waitFor(),
        };
      },
    },
    {
      name: 'an erasure',
      covers: ['pages/people/privacy-view.tsx POST /admin/v1/erasures'],
      method: 'POST',
      request: /\/admin\/v1\/erasures$/,
      isContinued: true,
      untrue: ['The erasure was not begun'],
      async prepare() {
        const id = await account();
        return {
          keys: admin,
          at: '/people/privacy',
          count: () => actsOf('account.erase', id),
          press: async (page) => {
            await page.getByRole('button', { name: 'Erase data' }).click();
            await dialog(page).getByRole('combobox', { name: 'Account' }).click();
            await page.getByRole('option', { name: id, exact: true }).click();
            await dialog(page).getByLabel(`Type ${id} to confirm`).fill(id);
            await submit('Erase permanently')(page);
          },
          again: submit('Erase permanently'),
          doneWords: async (page) => {
            await dialog(page).waitFor({ state: 'detached' });
            await page.getByRole('row', { name: new RegExp(id) }).waitFor();
          },
        };
      },
    },
  ];
}
