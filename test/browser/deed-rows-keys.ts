import type { Page } from 'playwright-core';
import type { TestService } from '../helpers/service.ts';
import type { DeedRow } from './deed-row.ts';

/** Who works with keys, and where the console sends what they do. */
interface KeyHolder {
  /** Follows the name of each row. */
  readonly words: string;
  /** The path of the list of keys. */
  readonly path: '/admin/v1/keys' | '/v1/account/keys';
  /** How the page of the keys is opened. */
  readonly opened: Pick<Awaited<ReturnType<DeedRow['prepare']>>, 'at' | 'keys' | 'signIn'>;
  /** Tells the revocation as the console does. */
  readonly revoked: (name: string) => string;
}

const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Rows for the deeds on keys, by an operator or by a manager of an account: made, rotated, revoked, changed. */
export function keyRows(
  { call, keys, issueKey }: Pick<TestService, 'call' | 'keys' | 'issueKey'>,
  { words, path, opened, revoked }: KeyHolder,
): readonly DeedRow[] {
  let number = 0;
  const fresh = () => `key${words.replaceAll(' ', '-')}-${++number}`;
  const key = async () => {
    const name = fresh();
    return { name, id: (await issueKey({ mode: 'test', name })).key_id };
  };
  const actsOn = async (act: string, id: string) => {
    const { data } = await call(keys.admin, 'GET', `/admin/v1/audit?act=${act}&limit=100`);
    return data.items.filter(({ target }) => target === id).length;
  };
  const openMenu = async (page: Page, name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const pattern = (rest: string) => new RegExp(`${path}${rest}$`);
  const covers = (deed: string, rest = '') => [`pages/people/key-source.ts ${deed} ${path}${rest}`];

  return [
    {
      name: `a new key${words}`,
      covers: covers('POST'),
      method: 'POST',
      request: pattern(''),
      isContinued: true,
      tellsWhen: true,
      untrue: ['The key was not created'],
      async prepare() {
        const name = fresh();
        return {
          ...opened,
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/keys?limit=100');
            return data.items.filter((one) => one.name === name).length;
          },
          press: async (page) => {
            await page.getByRole('button', { name: 'New key' }).click();
            await dialog(page).getByLabel('Name').fill(name);
            await submit('Create the key')(page);
          },
          again: submit('Create the key'),
          doneWords: async (page, isDoneNow) => {
            if (!isDoneNow) {
              await page.getByText('was created, but its secret was lost with the answer').waitFor();
              await page.getByRole('button', { name: 'Give it a new secret now' }).click();
            }
            await page.getByRole('textbox', { name: 'API key' }).waitFor();
          },
        };
      },
    },
    {
      name: `a rotated key${words}`,
      covers: covers('POST', '/{key_id}/rotate'),
      method: 'POST',
      request: pattern('/[^/]+/rotate'),
      isContinued: true,
      tellsWhen: true,
      untrue: ['The key was not rotated'],
      async prepare() {
        const { name, id } = await key();
        return {
          ...opened,
          count: () => actsOn('key.rotate', id),
          press: async (page) => {
            await openMenu(page, name, 'Rotate');
            await submit('Rotate')(page);
          },
          again: submit('Rotate'),
          doneWords: (page, isDoneNow) =>
            isDoneNow
              ? page.getByRole('textbox', { name: 'API key' }).waitFor()
              : page.getByText('The key was rotated, but its new secret was lost with the answer').waitFor(),
        };
      },
    },
    {
      name: `a revoked key${words}`,
      covers: covers('POST', '/{key_id}/revoke'),
      method: 'POST',
      request: pattern('/[^/]+/revoke'),
      untrue: ['The key was not revoked'],
      async prepare() {
        const { name, id } = await key();
        return {
          ...opened,
          count: () => actsOn('key.revoke', id),
          press: async (page) => {
            await openMenu(page, name, 'Revoke');
            await submit('Revoke permanently')(page);
          },
          again: submit('Revoke permanently'),
          doneWords: (page) => page.getByText(revoked(name)).waitFor(),
        };
      },
    },
    {
      name: `a changed key${words}`,
      covers: covers('PATCH', '/{key_id}'),
      method: 'PATCH',
      request: pattern('/[^/]+'),
      untrue: ['The key was not changed'],
      async prepare() {
        const { name, id } = await key();
        return {
          ...opened,
          count: async () =>
            (await call(keys.admin, 'GET', `/admin/v1/keys/${id}`)).data.name === `${name}-b` ? 1 : 0,
          press: async (page) => {
            await openMenu(page, name, 'Edit');
            await dialog(page).getByLabel('Name').fill(`${name}-b`);
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => page.getByText(`${name}-b is changed.`).waitFor(),
        };
      },
    },
  ];
}
