import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { OidcProvider } from '../helpers/oidc-provider.ts';
import type { TestService } from '../helpers/service.ts';
import { signInAs } from '../helpers/signed-in.ts';
import type { DeedRow } from './deed-row.ts';
import { keyRows } from './deed-rows-keys.ts';

const ACCOUNT = 'default';
const MANAGER = 'mona';
const dialog = (page: Page) => page.getByRole('dialog');
const submit = (name: string) => (page: Page) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Rows for the deeds of a signed-in manager on the keys, invitations and members of the account. */
export async function memberRows(service: TestService, provider: OidcProvider): Promise<readonly DeedRow[]> {
  const { call, keys } = service;
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
  const onPeople = signedInAt('/people');
  const asManager = () => manager.bearer({ account_id: ACCOUNT, mode: 'test' });
  let number = 0;
  const actsOn = async (act: string, target: string) => {
    const { data } = await call(keys.admin, 'GET', `/admin/v1/audit?act=${act}&limit=100`);
    return data.items.filter((entry: { readonly target: string | null }) => entry.target === target).length;
  };

  const withdrawn = (to: 'account' | 'operators'): DeedRow => {
    const path = to === 'account' ? '/v1/account/invitations' : '/admin/v1/invitations';
    return {
      name: `a withdrawn invitation to the ${to}`,
      covers: [`pages/people/people-view.tsx DELETE ${path}/{invitation_id}`],
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
    ...keyRows(service, {
      words: ' of the account',
      path: '/v1/account/keys',
      opened: signedInAt('/people/keys'),
      revoked: (name) => `${name} is revoked.`,
    }),
    {
      name: 'the limits of a member',
      covers: ['pages/people/members-panel.tsx PATCH /v1/account/members/{person_id}'],
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
