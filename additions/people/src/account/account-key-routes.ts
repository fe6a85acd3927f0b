import { KEY_SETTINGS, KeyChange, Rotation, settingsOf } from '@darkroom-service/addition-common/http/key-fields';
import { type IssuedKeyView, ServiceError } from '@darkroom-service/contract';
import { closedObject, listOf, refTo } from '@darkroom-service/contract/parts';
import {
  ActionHeaders,
  AdminKey,
  ErrorAnswer,
  envelopeOf,
  IssuedKey,
  RevokedKey,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import { accountOf } from '../members/member-routes.ts';

const tags = ['People'];
const nothing = closedObject({});
const NewKey = closedObject({ mode: Type.Enum(['live', 'test']), ...KEY_SETTINGS }, { title: 'NewAccountKey' });
type OneKey = { Params: { key_id: string } };
const one = '/v1/account/keys/:key_id';

/** Serves the live and test keys of the caller's account, for its managers. */
export function accountKeyRoutes(v1: App, { http, keys, work }: ServingKernel): void {
  const answer = (data: TSchema, code: 200 | 201 = 200) => ({
    tags,
    querystring: nothing,
    response: { [code]: envelopeOf(data, code), ...ErrorAnswer },
  });
  /**
   * Returns the id of a key of the account. An admin key has an account as well, but does not count as one of its keys.
   * @throws ServiceError `not_found`
   */
  const ownKey = async (request: FastifyRequest<OneKey>): Promise<string> => {
    const accountId = accountOf(http.caller(request));
    const keyId = request.params.key_id;
    const key = await keys.read(keyId);
    if (key.account_id === accountId && key.mode !== 'admin') return keyId;
    throw new ServiceError('not_found', `There is no key '${keyId}'.`, { param: 'key_id' });
  };

  v1.get('/v1/account/keys', { schema: answer(listOf(AdminKey)) }, async (request) => {
    const all = await keys.list({ accountId: accountOf(http.caller(request)) });
    return success({ items: all.filter(({ mode }) => mode !== 'admin') });
  });

  v1.post(
    '/v1/account/keys',
    {
      preHandler: http.answers.neverStore,
      schema: { ...answer(refTo(IssuedKey), 201), headers: ActionHeaders, body: NewKey },
    },
    async (request, reply) => {
      const accountId = accountOf(http.caller(request));
      const { mode, ...fields } = request.body;
      const settings = settingsOf(fields);
      const key = await http.once(request, reply, {
        make: async (_binding, by): Promise<IssuedKeyView> => await keys.issue(by, { accountId, mode, ...settings }),
        again: (keyId) => keys.issued(keyId),
      });
      reply.code(201);
      return success(key, 201);
    },
  );

  v1.patch<OneKey & { Body: Static<typeof KeyChange> }>(
    one,
    { schema: { ...answer(refTo(AdminKey)), body: KeyChange } },
    async (request) => {
      const keyId = await ownKey(request);
      const key = await keys.change(http.by(request), keyId, settingsOf(request.body));
      http.keys.forget();
      work.wakeRunner();
      return success(key);
    },
  );

  v1.post<OneKey>(
    `${one}/revoke`,
    { schema: { ...answer(refTo(RevokedKey)), headers: ActionHeaders } },
    async (request, reply) => {
      const keyId = await ownKey(request);
      const key = await http.once(request, reply, {
        make: (_binding, by) => keys.revoke(by, keyId),
        again: (id) => keys.revoked(id),
      });
      http.keys.forget();
      return success(key);
    },
  );

  v1.post<OneKey & { Body: Static<typeof Rotation> | undefined }>(
    `${one}/rotate`,
    {
      preHandler: http.answers.neverStore,
      schema: { ...answer(refTo(IssuedKey)), headers: ActionHeaders, body: Rotation },
    },
    async (request, reply) => {
      const keyId = await ownKey(request);
      const graceMs = (request.body?.grace_seconds ?? 86_400) * 1000;
      const key = await http.once(request, reply, {
        make: async (_binding, by): Promise<IssuedKeyView> => await keys.rotate(by, keyId, { graceMs }),
        again: (id) => keys.issued(id),
      });
      http.keys.forget();
      return success(key);
    },
  );
}
