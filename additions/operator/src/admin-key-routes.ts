import { KEY_SETTINGS, KeyChange, Rotation, settingsOf } from '@darkroom-service/addition-common/http/key-fields';
import { type IssuedKeyView, idPattern, isoTime, windowStart } from '@darkroom-service/contract';
import { closedObject, listOf, pageOf, Time, Word } from '@darkroom-service/contract/parts';
import {
  AdminKey,
  AdminKeyWithTasks,
  adminAction,
  adminSchema,
  IssuedKey,
  KeyUsage,
  Limit,
  RevokedKey,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { type Static, Type } from 'typebox';
import { readKeyUsage } from './key-usage.ts';

const NewKey = closedObject({
  mode: Type.Enum(['live', 'test', 'admin']),
  account_id: Type.Optional(Type.String({ maxLength: 64, default: 'default' })),
  ...KEY_SETTINGS,
});
const KeyQuery = closedObject({
  account_id: Type.Optional(Word),
  limit: Limit,
  after: Type.Optional(Type.String({ maxLength: 64, description: 'the last key_id of the page before' })),
});
const KEY_ID = idPattern('key');
const UsageQuery = closedObject({
  key_ids: Type.String({
    maxLength: 4_000,
    pattern: `^${KEY_ID}(,${KEY_ID}){0,99}$`,
    description: 'up to 100 key_ids, comma-separated',
  }),
});
type OneKey = { Params: { key_id: string } };

/** Serves keys: issued, listed, changed, rotated, revoked. A secret is in the answer that makes it, and never again. */
export function adminKeyRoutes(admin: App, { clock, hooks, http, keys, store, work }: ServingKernel): void {
  admin.get(
    '/admin/v1/keys',
    { schema: { ...adminSchema(pageOf(AdminKey)), querystring: KeyQuery } },
    async (request) => {
      const { account_id: accountId, limit = 20, after } = request.query;
      const found = await keys.list({ accountId, after, limit: limit + 1 });
      return success({ items: found.slice(0, limit), limit, has_more: found.length > limit });
    },
  );

  admin.get(
    '/admin/v1/keys/usage',
    { schema: { ...adminSchema(listOf(KeyUsage, { since: Time })), querystring: UsageQuery } },
    async (request) => {
      const since = windowStart('month', clock.now());
      const items = await readKeyUsage(store.replica.reports, hooks, request.query.key_ids.split(','), since);
      return success({ since: isoTime(since), items });
    },
  );

  admin.post(
    '/admin/v1/keys',
    { preHandler: http.answers.neverStore, schema: { ...adminAction(IssuedKey, 201), body: NewKey } },
    async (request, reply) => {
      const { account_id: accountId = 'default', mode, ...fields } = request.body;
      const settings = settingsOf(fields);
      const key = await http.once(request, reply, {
        make: async (_binding, by): Promise<IssuedKeyView> => await keys.issue(by, { accountId, mode, ...settings }),
        again: (keyId) => keys.issued(keyId),
      });
      reply.code(201);
      return success(key, 201);
    },
  );

  admin.get<OneKey>('/admin/v1/keys/:key_id', { schema: adminSchema(AdminKeyWithTasks) }, async (request) =>
    success(await keys.read(request.params.key_id)),
  );

  admin.patch<OneKey & { Body: Static<typeof KeyChange> }>(
    '/admin/v1/keys/:key_id',
    { schema: { ...adminSchema(AdminKey), body: KeyChange } },
    async (request) => {
      const change = settingsOf(request.body);
      const key = await keys.change(http.by(request), request.params.key_id, change);
      http.keys.forget();
      work.wakeRunner();
      return success(key);
    },
  );

  admin.post<OneKey>('/admin/v1/keys/:key_id/revoke', { schema: adminAction(RevokedKey) }, async (request, reply) => {
    const key = await http.once(request, reply, {
      make: (_binding, by) => keys.revoke(by, request.params.key_id),
      again: (keyId) => keys.revoked(keyId),
    });
    http.keys.forget();
    return success(key);
  });

  admin.post<OneKey & { Body: Static<typeof Rotation> | undefined }>(
    '/admin/v1/keys/:key_id/rotate',
    { preHandler: http.answers.neverStore, schema: { ...adminAction(IssuedKey), body: Rotation } },
    async (request, reply) => {
      const graceSeconds = request.body?.grace_seconds ?? 86_400;
      const key = await http.once(request, reply, {
        make: async (_binding, by): Promise<IssuedKeyView> =>
          await keys.rotate(by, request.params.key_id, { graceMs: graceSeconds * 1000 }),
        again: (keyId) => keys.issued(keyId),
      });
      http.keys.forget();
      return success(key);
    },
  );
}
