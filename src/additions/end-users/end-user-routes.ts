import { readOwnLimits, setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { closedObject, refTo } from '@darkroom-service/contract/parts';
import {
  EndUser,
  EndUserChange,
  EndUserName,
  EndUserPage,
  ErrorAnswer,
  envelopeOf,
  Limit,
  success,
} from '@darkroom-service/contract/schemas';
import { type Static, Type } from 'typebox';
import type { ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import { listEndUsers, viewEndUser } from './list-end-users.ts';

const schema = {
  tags: ['End users'],
  params: Type.Object({ end_user: EndUserName }),
  response: { 200: envelopeOf(refTo(EndUser)), ...ErrorAnswer },
};
const path = '/v1/end_users/:end_user';
type OneEndUser = { Params: { end_user: string } };
const ListQuery = closedObject({
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 128, description: 'an end_user: those that follow it by name' })),
});

/** Serves the limits of a key's end users, and their spending. */
export function endUserRoutes(v1: App, { accounts, http, money, store }: ServingKernel): void {
  const now = () => money.spendingNow();

  v1.get(
    '/v1/end_users',
    {
      schema: {
        tags: schema.tags,
        querystring: ListQuery,
        response: { 200: envelopeOf(EndUserPage), ...ErrorAnswer },
      },
    },
    async (request) => {
      const { limit = 20, after = '' } = request.query;
      const { items, hasMore } = await listEndUsers(store.read, http.caller(request), { limit, after }, now());
      return success({ items, limit, has_more: hasMore });
    },
  );

  v1.get<OneEndUser>(path, { schema }, async (request) =>
    success(await viewEndUser(store.read, http.caller(request), accounts.readEndUser(request.params.end_user), now())),
  );

  v1.put<OneEndUser & { Body: Static<typeof EndUserChange> }>(
    path,
    { schema: { ...schema, body: EndUserChange } },
    async (request) => {
      const key = http.caller(request);
      const endUser = accounts.readEndUser(request.params.end_user);
      await setScopeLimits(store, http.by(request), key, endUser, readOwnLimits(request.body.limits));
      // The next order of the key must look up its end users.
      if (!key.limitsEndUsers) http.keys.forget();
      return success(await viewEndUser(store.read, key, endUser, now()));
    },
  );

  v1.delete<OneEndUser>(path, { schema }, async (request) => {
    const key = http.caller(request);
    const endUser = accounts.readEndUser(request.params.end_user);
    await setScopeLimits(store, http.by(request), key, endUser, {});
    return success(await viewEndUser(store.read, key, endUser, now()));
  });
}
