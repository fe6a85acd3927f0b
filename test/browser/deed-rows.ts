import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import { pressIfThere } from './browser.ts';
import type { DeedRow } from './deed-row.ts';
import { keyRows } from './deed-rows-keys.ts';

const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();

export function deedRows(service: TestService): readonly DeedRow[] {
  const { call, keys, issueKey } = service;
  let names = 0;
  const fresh = (word: string) => `${word}-${++names}`;
  const admin = { admin: keys.admin };
  const onAccounts = { keys: admin, at: '/people/accounts' };
  const account = async () => {
    const id = fresh('acme');
    await call(keys.admin, 'POST', '/admin/v1/accounts', { account_id: id, name: id });
    return id;
  };
  const key = async () => {
    const name = fresh('shop');
    const { key: secret, key_id: keyId } = await issueKey({ mode: 'test', name });
    return { name, secret, keyId };
  };
  const picture = async (secret: string) =>
    await service.make(secret, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });

  return [
    {
      name: 'a credit',
      covers: ['pages/people/accounts-view.tsx POST /admin/v1/accounts/{account_id}/credit'],
      method: 'POST',
      request: /\/credit$/,
      isContinued: true,
      untrue: ['It was not credited'],
      async prepare() {
        const id = await account();
        return {
          ...onAccounts,
          count: async () => Number((await call(keys.admin, 'GET', `/admin/v1/accounts/${id}`)).data.balance) / 10,
          press: async (page) => {
            await page.getByRole('button', { name: `Credit ${id}`, exact: true }).click();
            await dialog(page).getByLabel('Amount in dollars').fill('10');
            await submit('Credit')(page);
          },
          again: submit('Credit'),
          doneWords: (page) => page.getByText(`${id} now has $10.00`).waitFor(),
        };
      },
    },
    ...keyRows(service, {
      words: '',
      path: '/admin/v1/keys',
      opened: { keys: admin, at: '/people/keys' },
      revoked: () => 'The key is revoked.',
    }),
    {
      name: 'a new account',
      covers: ['pages/people/account-form.tsx POST /admin/v1/accounts'],
      method: 'POST',
      request: /\/admin\/v1\/accounts$/,
      isContinued: true,
      untrue: ['The account was not created'],
      async prepare() {
        const name = fresh('made');
        return {
          ...onAccounts,
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/accounts?limit=100');
            return data.items.filter((one: { name: string }) => one.name === name).length;
          },
          press: async (page) => {
            await page.getByRole('button', { name: 'New account' }).click();
            await dialog(page).getByLabel('Name').fill(name);
            await submit('Create the account')(page);
          },
          again: submit('Create the account'),
          doneWords: (page) => dialog(page).waitFor({ state: 'detached' }),
        };
      },
    },
    {
      name: 'changed terms',
      covers: ['pages/people/account-form.tsx PATCH /admin/v1/accounts/{account_id}'],
      method: 'PATCH',
      request: /\/admin\/v1\/accounts\/[^/]+$/,
      untrue: ['The terms were not changed'],
      async prepare() {
        const id = await account();
        return {
          ...onAccounts,
          count: async () =>
            (await call(keys.admin, 'GET', `/admin/v1/accounts/${id}`)).data.name === 'renamed' ? 1 : 0,
          press: async (page) => {
            await page.getByRole('button', { name: `Change ${id}`, exact: true }).click();
            await dialog(page).getByLabel('Name').fill('renamed');
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => dialog(page).waitFor({ state: 'detached' }),
        };
      },
    },
    {
      name: 'a link',
      covers: ['components/share-links.tsx POST /v1/shares'],
      method: 'POST',
      request: /\/v1\/shares$/,
      isContinued: true,
      untrue: ['The link was not made'],
      async prepare() {
        const { secret } = await key();
        const { task_id: id } = await picture(secret);
        return {
          keys: { test: secret },
          at: `/history/${id}`,
          count: async () => (await call(secret, 'GET', '/v1/shares')).data.items.length,
          press: async (page) => {
            await page.getByRole('button', { name: 'Share' }).click();
            await page.getByRole('button', { name: 'Make a link' }).click();
          },
          again: (page) => page.getByRole('button', { name: 'Make a link' }).click(),
          doneWords: (page) => page.getByText('The link is ready. Copy it below.').waitFor(),
        };
      },
    },
    {
      name: 'a pause of an engine',
      covers: ['pages/now/pausing.tsx POST /admin/v1/engines/{name}/pause'],
      method: 'POST',
      request: /\/pause$/,
      async prepare() {
        await call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume');
        return {
          keys: admin,
          at: '/now/upstreams',
          restore: () => call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume'),
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/engines');
            return data.items.find(({ name }) => name === 'sketch')?.paused === true ? 1 : 0;
          },
          press: async (page) => {
            await page.getByRole('button', { name: 'Pause sketch' }).click();
            await submit('Pause')(page);
          },
          again: submit('Pause'),
          doneWords: (page) => page.getByText(/^Paused since/).waitFor(),
        };
      },
    },
    {
      name: 'a canceled order',
      covers: ['api/orders.ts POST /v1/images/{task_id}/cancel'],
      method: 'POST',
      request: /\/cancel$/,
      untrue: ['Could not cancel', 'The order was not canceled'],
      async prepare() {
        const { secret } = await key();
        const stuck = { model_id: 'sketch', prompt: 'a mill', simulate: { outcome: 'stuck' } };
        const { data: task } = await call(secret, 'POST', '/v1/images', stuck);
        return {
          keys: { test: secret },
          at: `/history/${task.task_id}`,
          count: async () => {
            const { data } = await call(secret, 'GET', `/v1/images/${task.task_id}`);
            return data.cancel_requested_at === null && data.status !== 'canceled' ? 0 : 1;
          },
          press: (page) => page.getByRole('button', { name: 'Cancel the order' }).click(),
          again: (page) => pressIfThere(page.getByRole('button', { name: 'Cancel the order' })),
          doneWords: (page) => page.getByText('Canceled', { exact: true }).first().waitFor(),
        };
      },
    },
  ];
}
