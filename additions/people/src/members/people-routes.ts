import { OPERATORS } from '@darkroom-service/contract';
import { closedObject, listOf, pageOf } from '@darkroom-service/contract/parts';
import { ActionHeaders, adminAction, adminSchema, Limit, success } from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import type { PeopleConfig } from '../people-settings.ts';
import {
  AdminInvitation,
  Invitation,
  IssuedInvitation,
  Person,
  RemovalQuery,
  RemovedPerson,
  RoleChange,
} from '../people-wire.ts';
import { endSessionsOf } from '../session/sessions.ts';
import { findInvitation, invitationUrl, invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { endKnownKeys, keysKnownTo } from './known-keys.ts';
import { listPeople, removePerson, setRole, viewPerson } from './members.ts';

const PeopleQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'a person_id: those that follow' })),
});
const InvitationQuery = closedObject({
  account_id: Type.Optional(Type.String({ maxLength: 64, description: 'left out = those to the operators' })),
});
type OnePerson = { Params: { person_id: string } };

/** Serves all people, their roles and sessions, and invitations of every kind, for operators. */
export function peopleRoutes(admin: App, kernel: ServingKernel, people: PeopleConfig): void {
  const { accounts, clock, http, keys, store } = kernel;
  const { publicUrl } = kernel.settings;

  admin.get(
    '/admin/v1/people',
    { schema: { ...adminSchema(pageOf(Person)), querystring: PeopleQuery } },
    async (request) => {
      const { limit = 20, after = '' } = request.query;
      const { items, hasMore } = await listPeople(store.read, { limit, after }, clock.now());
      return success({ items, limit, has_more: hasMore });
    },
  );

  admin.put<OnePerson & { Body: Static<typeof RoleChange> }>(
    '/admin/v1/people/:person_id/role',
    { schema: { ...adminSchema(Person), body: RoleChange } },
    async (request) => {
      const { account_id: accountId, role } = request.body;
      const personId = request.params.person_id;
      await setRole(store, http.by(request), personId, accountId ?? OPERATORS, role);
      http.keys.forget();
      return success(await viewPerson(store.read, personId, clock.now()));
    },
  );

  admin.post<OnePerson>(
    '/admin/v1/people/:person_id/sign_out',
    { schema: adminAction(Person) },
    async (request, reply) => {
      const personId = request.params.person_id;
      const person = await http.once(request, reply, {
        make: async (binding, by) => {
          await store.write('sign_out_person', async (trx) => {
            await binding.within(trx, personId);
            await viewPerson(trx, personId, by.now);
            const sessions = await endSessionsOf(trx, personId);
            await accounts.record(trx, by, { act: 'person.sign_out', target: personId, detail: { sessions } });
          });
          return await viewPerson(store.read, personId, by.now);
        },
        again: (id) => viewPerson(store.read, id, clock.now()),
      });
      http.keys.forget();
      return success(person);
    },
  );

  const removal = { ...adminSchema(RemovedPerson), querystring: RemovalQuery };
  admin.delete<OnePerson & { Querystring: Static<typeof RemovalQuery> }>(
    '/admin/v1/people/:person_id',
    { schema: removal },
    async (request) => {
      const personId = request.params.person_id;
      const by = http.by(request);
      const person = await viewPerson(store.read, personId, by.now);
      const known = await keysKnownTo(store.read, personId, null, by.now);
      const ended = await endKnownKeys(keys, by, known, request.query.revoke_keys === 'true');
      await removePerson(store, by, personId);
      http.keys.forget();
      return success({ ...person, keys: ended });
    },
  );

  admin.get(
    '/admin/v1/invitations',
    { schema: { ...adminSchema(listOf(Invitation)), querystring: InvitationQuery } },
    async (request) => {
      const { account_id: accountId = OPERATORS } = request.query;
      return success({ items: await listInvitations(store.read, accountId, clock.now()) });
    },
  );

  admin.post(
    '/admin/v1/invitations',
    {
      preHandler: http.answers.neverStore,
      schema: { ...adminAction(IssuedInvitation, 201), headers: ActionHeaders, body: AdminInvitation },
    },
    async (request, reply) => {
      const { account_id: accountId, role, email = null } = request.body;
      const issued = await http.once(request, reply, {
        make: async (_binding, by) => {
          const wanted = { accountId: accountId ?? OPERATORS, role, email };
          const { invitation, token } = await invite(store, by, wanted, people);
          return { ...invitation, url: invitationUrl(publicUrl, token) as string | null };
        },
        again: async (id) => ({ ...(await findInvitation(store.read, id)), url: null }),
      });
      reply.code(201);
      return success(issued, 201);
    },
  );

  admin.delete<{ Params: { invitation_id: string } }>(
    '/admin/v1/invitations/:invitation_id',
    { schema: adminSchema(Invitation) },
    async (request) => {
      const id = request.params.invitation_id;
      const { account_id: accountId } = await findInvitation(store.read, id);
      return success(await withdrawInvitation(store, http.by(request), accountId ?? OPERATORS, id));
    },
  );
}
