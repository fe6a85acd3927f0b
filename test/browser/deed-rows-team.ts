import type { Page } from 'playwright-core';
import { anyTable } from '../helpers/any-table.ts';
import type { TestService } from '../helpers/service.ts';
import type { DeedRow } from './deed-row.ts';

/**
 * Returns the rows of operators' deeds about people. The people of the rows have signed in before; no provider is
 * asked.
 */
export function teamRows(service: TestService): readonly DeedRow[] {
  const { call, database, keys } = service;
  const onTeam = { keys: { admin: keys.admin }, at: '/people' };
  const dialog = (page: Page) => page.getByRole('dialog');
  let number = 0;

  /** Somebody who has signed in, with an open session. */
  async function person() {
    const id = `psn_row${++number}`;
    const name = `Person ${number}`;
    const now = Date.now();
    await database.write('test', async (trx) => {
      const row = { id, issuer: 'https://login.example.com', subject: id, email: null, name };
      await trx.run(
        anyTable(trx.builder)
          .insertInto('people')
          .values({ ...row, created_at: now, signed_in_at: now }),
      );
      await trx.run(
        anyTable(trx.builder)
          .insertInto('person_sessions')
          .values({
            id: `pss_row${number}`,
            hash: id,
            person_id: id,
            kind: 'console',
            provider_session: null,
            tokens_sealed: '',
            created_at: now,
            seen_at: now,
            checked_at: now,
            checking_until: 0,
            expires_at: now + 3_600_000,
          }),
      );
    });
    return { id, name };
  }
  const told = async (id: string) => {
    const { data } = await call(keys.admin, 'GET', '/admin/v1/people?limit=100');
    return data.items.find(({ person_id }) => person_id === id);
  };

  return [
    {
      name: 'an invitation',
      covers: ['pages/people/invite-button.tsx POST /admin/v1/invitations'],
      method: 'POST',
      request: /\/admin\/v1\/invitations$/,
      isContinued: true,
      tellsWhen: true,
      untrue: ['The invitation was not made'],
      async prepare() {
        const email = `person-${++number}@example.com`;
        return {
          ...onTeam,
          count: async () => {
            const { data } = await call(keys.admin, 'GET', '/admin/v1/invitations');
            return data.items.filter((one) => one.email === email).length;
          },
          press: async (page) => {
            await page.getByRole('button', { name: 'Invite' }).click();
            await dialog(page).getByLabel('Email address').fill(email);
            await dialog(page).getByRole('button', { name: 'Create the link' }).click();
          },
          again: (page) => dialog(page).getByRole('button', { name: 'Create the link' }).click(),
          doneWords: (page, isDoneNow) =>
            isDoneNow
              ? page.getByRole('textbox', { name: 'Link of the invitation' }).waitFor()
              : page.getByText('its link was shown only then').waitFor(),
        };
      },
    },
    {
      name: 'the role of a person',
      covers: ['pages/people/people-panel.tsx PUT /admin/v1/people/{person_id}/role'],
      method: 'PUT',
      request: /\/role$/,
      untrue: ['It was not changed'],
      async prepare() {
        const { id, name } = await person();
        const choose = async (page: Page) => {
          await page.getByRole('combobox', { name: `Role of ${name} among the operators` }).click();
          await page.getByRole('option', { name: 'Operator' }).click();
        };
        return {
          ...onTeam,
          count: async () => ((await told(id))?.memberships ?? []).length,
          press: choose,
          doneWords: (page) => page.getByText('It is not known').first().waitFor({ state: 'detached' }),
        };
      },
      isReadAgain: true,
    },
    {
      name: 'the end of the sessions of a person',
      covers: ['pages/people/people-panel.tsx POST /admin/v1/people/{person_id}/sign_out'],
      method: 'POST',
      request: /\/sign_out$/,
      untrue: ['It was not changed'],
      async prepare() {
        const { id, name } = await person();
        return {
          ...onTeam,
          count: async () => ((await told(id))?.sessions === 0 ? 1 : 0),
          press: (page) => page.getByRole('button', { name: `Sign out: ${name}, everywhere` }).click(),
          doneWords: (page) => page.getByText('It is not known').first().waitFor({ state: 'detached' }),
        };
      },
    },
  ];
}
