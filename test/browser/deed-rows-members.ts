import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { OidcProvider } from '../oidc-provider.ts';
import type { TestService } from '../service.ts';
import { signInAs } from '../signed-in.ts';
import type { DeedRow } from './deed-row.ts';

const ACCOUNT = 'default';
const MANAGER = 'mona';
const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Rows for the deeds of a signed-in manager on the keys, invitations and members of the account. */
export async function memberRows(service: TestService, provider: OidcProvider): Promise<readonly DeedRow[]> {
  const { call, keys, issueKey } = service;
  const person = (sub: string, groups: readonly string[]) =>
    provider.people.set(sub, { sub, email: `${sub}@example.com`, email_verified: true, name: sub, groups });
  person(MANAGER, ['leads']);
  const manager = await signInAs(service, provider, MANAGER);
  /** Signs the manager in, and opens a page. */
  const signedInAt = (at: string) => ({
    at,
    signIn: async (page: Page) => {
      provider.signsIn = MANAGER;
      await page.getByRole('link', { name: 'Sign in with your work account' }).click();
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      await page.goto(`${service.url}/#${at}`);
    },
  });
  const onKeys = signedInAt('/people/keys');
  const onPeople = signedInAt('/people');
  const asManager = () => manager.bearer({ account_id: ACCOUNT, mode: 'test' });
  let number = 0;
  const key = async () => {
    const name = `of-account-${++number}`;
    return { name, ...(await issueKey({ mode: 'test', name })) };
  };
  const keyNow = async (id: string) => (await call(keys.admin, 'GET', `/admin/v1/keys/${id}`)).data;
  const actsOn = async (act: string, target: string) => {
    const { data } = await call(keys.admin, 'GET', `/admin/v1/audit?act=${act}&limit=100`);
    return data.items.filter((entry: { readonly target: string | null }) => entry.target === target).length;
  };
  const openMenu = async (page: Page, name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  const ofKey = 'pages/people/key-source.ts';

  const withdrawn = (to: 'account' | 'operators'): DeedRow => {
    const path = to === 'account' ? '/v1/account/invitations' : '/admin/v1/invitations';
    return {
      name: `a withdrawn invitation to the ${to}`,
      covers: [`pages/people/invitations.tsx DELETE ${path}/{invitation_id}`],
      method: 'DELETE',
      request: /\/invitations\/[^/]+$/,
      isReadAgain: true,
      untrue: ['The invitation was not withdrawn'],
      async prepare() {
        const email = `guest-${++number}@example.com`;
        const wish =
          to === 'account'
            ? ({ account_id: ACCOUNT, role: 'viewer', email } as const)
            : ({ account_id: null, role: 'operator', email } as const);
        const { data } = await call(keys.admin, 'POST', '/admin/v1/invitations', wish);
        const button = (page: Page) => page.getByRole('button', { name: `Withdraw the invitation for ${email}` });
        return {
          ...(to === 'account' ? onPeople : { keys: { admin: keys.admin }, at: '/people' }),
          count: () => actsOn('invitation.withdraw', data.invitation_id),
          press: (page) => button(page).click(),
          doneWords: (page) => button(page).waitFor({ state: 'detached' }),
        };
      },
    };
  };

  return [
    withdrawn('account'),
    withdrawn('operators'),
    {
      name: 'a new key of the account',
      covers: [`${ofKey} POST /v1/account/keys`],
      method: 'POST',
      request: /\/v1\/account\/keys$/,
      isContinued: true,
      untrue: ['The key was not created'],
      async prepare() {
        const name = `by-manager-${++number}`;
        return {
          ...onKeys,
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/keys');
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
      name: 'a rotated key of the account',
      covers: [`${ofKey} POST /v1/account/keys/{key_id}/rotate`],
      method: 'POST',
      request: /\/account\/keys\/[^/]+\/rotate$/,
      isContinued: true,
      untrue: ['The key was not rotated'],
      async prepare() {
        const { name, key_id: id } = await key();
        return {
          ...onKeys,
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
      name: 'a changed key of the account',
      covers: [`${ofKey} PATCH /v1/account/keys/{key_id}`],
      method: 'PATCH',
      request: /\/v1\/account\/keys\/[^/]+$/,
      untrue: ['The key was not changed'],
      async prepare() {
        const { name, key_id: id } = await key();
        return {
          ...onKeys,
          count: async () => ((await keyNow(id)).name === `${name}-b` ? 1 : 0),
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
    {
      name: 'a revoked key of the account',
      covers: [`${ofKey} POST /v1/account/keys/{key_id}/revoke`],
      method: 'POST',
      request: /\/account\/keys\/[^/]+\/revoke$/,
      untrue: ['The key was not revoked'],
      async prepare() {
        const { name, key_id: id } = await key();
        return {
          ...onKeys,
          count: () => actsOn('key.revoke', id),
          press: async (page) => {
            await openMenu(page, name, 'Revoke');
            await submit('Revoke permanently')(page);
          },
          again: submit('Revoke permanently'),
          doneWords: (page) => page.getByText(`${name} is revoked.`, { exact: false }).waitFor(),
        };
      },
    },
    {
      name: 'the limits of a member',
      covers: ['pages/people/member-limits-form.tsx PATCH /v1/account/members/{person_id}'],
      method: 'PATCH',
      request: /\/v1\/account\/members\/[^/]+$/,
      untrue: ['The limits were not changed'],
      async prepare() {
        const sub = `member-${++number}`;
        person(sub, ['leads']);
        await signInAs(service, provider, sub);
        const member = async () => {
          const { data } = await call(await asManager(), 'GET', '/v1/account/members?limit=100');
          return data.items.find(({ name }: { readonly name: string }) => name === sub);
        };
        assert.ok((await member()) !== undefined, 'who has signed in is a member');
        return {
          ...onPeople,
          count: async () => (Number((await member())?.limits.day ?? 0) === 5 ? 1 : 0),
          press: async (page) => {
            await page.getByRole('button', { name: `Limits of ${sub}` }).click();
            await dialog(page).getByLabel('a day').fill('5');
            await submit('Save')(page);
          },
          again: submit('Save'),
          doneWords: (page) => dialog(page).waitFor({ state: 'detached' }),
        };
      },
    },
    {
      name: 'the removal of a person',
      covers: ['pages/people/people-panel.tsx DELETE /admin/v1/people/{person_id}'],
      method: 'DELETE',
      request: /\/admin\/v1\/people\/[^/]+$/,
      untrue: ['The person was not removed'],
      async prepare() {
        const sub = `leaver-${++number}`;
        person(sub, ['leads']);
        await signInAs(service, provider, sub);
        const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
        const id = data.items.find(({ name }) => name === sub)?.person_id ?? '';
        return {
          keys: { admin: keys.admin },
          at: '/people',
          count: () => actsOn('person.remove', id),
          press: async (page) => {
            await page.getByRole('button', { name: `Remove the person ${sub}` }).click();
            await submit('Remove permanently')(page);
          },
          again: submit('Remove permanently'),
          doneWords: async (page) => {
            await dialog(page).waitFor({ state: 'detached' });
            await page.getByRole('button', { name: `Remove the person ${sub}` }).waitFor({ state: 'detached' });
          },
        };
      },
    },
  ];
}
