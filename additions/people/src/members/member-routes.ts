import { readOwnLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { isoTime, ServiceError } from '@darkroom-service/contract';
import { closedObject, listOf, pageOf, refTo } from '@darkroom-service/contract/parts';
import { ActionHeaders, ErrorAnswer, envelopeOf, Limit, success } from '@darkroom-service/contract/schemas';
import type { OrderingKey, ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, type TSchema, Type } from 'typebox';
import type { PeopleConfig } from '../people-settings.ts';
import {
  Invitation,
  IssuedInvitation,
  Member,
  MemberChange,
  MemberDeletion,
  NewInvitation,
  RemovalQuery,
} from '../people-wire.ts';
import { findInvitation, invitationUrl, invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { endKnownKeys, keysKnownTo } from './known-keys.ts';
import { listMembers, setMemberLimits, setRole, viewMember } from './members.ts';

const tags = ['People'];
const nothing = closedObject({});
const path = '/v1/account/members/:person_id';
type OnePerson = { Params: { person_id: string } };
const MemberQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'a person_id: those that follow' })),
});

/** Serves members of the caller's account and invitations to it, for its managers. */
export function memberRoutes(v1: App, kernel: ServingKernel, people: PeopleConfig): void {
  const { clock, http, keys, store } = kernel;
  const { publicUrl } = kernel.settings;
  const answer = (data: TSchema, code: 200 | 201 = 200) => ({
    tags,
    querystring: nothing,
    response: { [code]: envelopeOf(data, code), ...ErrorAnswer },
  });

  v1.get(
    '/v1/account/members',
    { schema: { ...answer(pageOf(Member)), querystring: MemberQuery } },
    async (request) => {
      const accountId = accountOf(http.caller(request));
      const { limit = 20, after = '' } = request.query;
      const { items, hasMore } = await listMembers(kernel, accountId, { limit, after });
      return success({ items, limit, has_more: hasMore });
    },
  );

  v1.patch<OnePerson>(path, { schema: { ...answer(refTo(Member)), body: MemberChange } }, async (request) => {
    const accountId = accountOf(http.caller(request));
    const personId = request.params.person_id;
    const { role, limits } = request.body as { role?: 'viewer'; limits?: object };
    await viewMember(kernel, accountId, personId);
    if (role !== undefined) await setRole(store, http.by(request), personId, accountId, role);
    if (limits !== undefined)
      await setMemberLimits(kernel, http.by(request), accountId, personId, readOwnLimits(limits));
    http.keys.forget();
    return success(await viewMember(kernel, accountId, personId));
  });

  const removal = { ...answer(refTo(MemberDeletion)), querystring: RemovalQuery };
  v1.delete<OnePerson & { Querystring: Static<typeof RemovalQuery> }>(path, { schema: removal }, async (request) => {
    const accountId = accountOf(http.caller(request));
    const personId = request.params.person_id;
    const member = await viewMember(kernel, accountId, personId);
    if (member.by_group)
      throw new ServiceError(
        'invalid_request',
        `${member.name} has a role by a group of the sign-in provider. Remove the person from the group there.`,
      );
    const by = http.by(request);
    const known = await keysKnownTo(store.read, personId, accountId, by.now);
    const ended = await endKnownKeys(keys, by, known, request.query.revoke_keys === 'true');
    await setRole(store, by, personId, accountId, null);
    http.keys.forget();
    return success({ person_id: personId, removed_at: isoTime(by.now), keys: ended });
  });

  v1.get('/v1/account/invitations', { schema: answer(listOf(Invitation)) }, async (request) =>
    success({ items: await listInvitations(store.read, accountOf(http.caller(request)), clock.now()) }),
  );

  v1.post(
    '/v1/account/invitations',
    {
      preHandler: http.answers.neverStore,
      schema: { ...answer(refTo(IssuedInvitation), 201), headers: ActionHeaders, body: NewInvitation },
    },
    async (request, reply) => {
      const accountId = accountOf(http.caller(request));
      const { role, email = null } = request.body;
      const issued = await http.once(request, reply, {
        make: async (_binding, by) => {
          const { invitation, token } = await invite(store, by, { accountId, role, email }, people);
          return { ...invitation, url: invitationUrl(publicUrl, token) as string | null };
        },
        again: async (id) => ({ ...(await findInvitation(store.read, id)), url: null }),
      });
      reply.code(201);
      return success(issued, 201);
    },
  );

  v1.delete<{ Params: { invitation_id: string } }>(
    '/v1/account/invitations/:invitation_id',
    { schema: answer(refTo(Invitation)) },
    async (request) =>
      success(
        await withdrawInvitation(
          store,
          http.by(request),
          accountOf(http.caller(request)),
          request.params.invitation_id,
        ),
      ),
  );
}

/** Returns the account of the caller. Keys have no members: their rights were set when they were issued. */
export function accountOf({ account, client }: OrderingKey): string {
  if (client?.person !== undefined) return account.id;
  throw new ServiceError('forbidden', 'Only people who sign in may do this. An API key cannot.');
}
