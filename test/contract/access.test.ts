import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Envelope } from '@darkroom-service/contract/schemas';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { type FileAnswer, startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import type { Caller, Owned } from './access-callers.ts';
import { ROWS } from './access-rows.ts';

/**
 * Every operation of the OpenAPI document, called by everybody who may and may not: see `access-rows.ts` for who may.
 */

const service = await startTestService(wholeFile, {
  env: {
    DARKROOM_ALLOWED_ADDRESSES: '127.0.0.0/8',
    // Invitations need one.
    DARKROOM_OIDC_ISSUER: 'https://login.example.com',
    DARKROOM_OIDC_CLIENT_ID: 'darkroom',
  },
  service: { engines: [createSwiftEngine()] },
});
const { call, issueKey, keys } = service;

const otherAccount = await service.createAccount(null);
const revoked = await issueKey({ mode: 'test' });
assert.equal((await call(keys.admin, 'POST', `/admin/v1/keys/${revoked.key_id}/revoke`)).status, 200);
const expired = await issueKey({ mode: 'test', expiresAt: Date.now() + 60_000 });
await service.database.write('expire', (trx) =>
  trx.run(trx.builder.updateTable('api_keys').set({ expires_at: 1 }).where('id', '=', expired.key_id)),
);
const callers: Readonly<Record<Caller, string | null>> = {
  'no key': null,
  'other account': (await issueKey({ mode: 'test', accountId: otherAccount })).key,
  'other key': (await issueKey({ mode: 'test' })).key,
  'other mode': keys.live,
  'client token': (await call(keys.test, 'POST', '/v1/client_tokens', { end_user: 'ada' })).data.token,
  revoked: revoked.key,
  expired: expired.key,
  admin: keys.admin,
  // Last, as it may delete what the others must not find.
  owner: keys.test,
};

const picture = new Uint8Array(
  await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer(),
);
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const [image, grid, video] = await Promise.all([
  service.make(keys.test, '/v1/images', { ...order, webhook_url: 'http://127.0.0.1:9/' }),
  service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' }),
  service.make(keys.test, '/v1/videos', {
    model_id: 'sketch-motion',
    prompt: 'a fox',
    duration: 1,
    resolution: '480p',
  }),
]);
const [delivery] = (await call(keys.test, 'GET', '/v1/account/webhooks/deliveries')).data.items;
const upload = await send(keys.test, 'POST', '/v1/files', picture);
const batch = await call(keys.test, 'POST', '/v1/batches', {
  orders: [
    { operation: 'images', body: { model_id: 'sketch', prompt: 'a fox', simulate: { outcome: 'content_policy' } } },
  ],
});
const ended = await until(
  async () => (await call(keys.test, 'GET', batch.data.urls.self)).data,
  (found) => found.status !== 'processing',
);
const owned: Owned = {
  image,
  video,
  grid,
  picture,
  fileId: ((await upload.json()) as Envelope<FileAnswer>).data.file_id,
  batchId: ended.batch_id,
  shareId: (await call(keys.test, 'POST', '/v1/shares', { task_id: grid.task_id })).data.share_id,
  deliveryId: delivery.delivery_id,
  keyId: (await issueKey({ mode: 'test' })).key_id,
  accountId: otherAccount,
};

const { paths } = (await call(null, 'GET', '/openapi.json')).body;
const operations = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

test('every operation has a row, and every row an operation', () => {
  assert.deepEqual(Object.keys(ROWS).sort(), [...operations].sort());
});

// Deletions last: the rows before them ask for the same things.
const inOrder = Object.entries(ROWS).sort(
  ([a], [b]) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')),
);
for (const [operation, row] of inOrder) {
  test(`${operation} answers each caller as its row says`, async () => {
    const [method = '', path = ''] = operation.split(' ');
    for (const [caller, key] of Object.entries(callers) as [Caller, string | null][]) {
      const response = await send(key, method, row.path?.(owned) ?? path, row.body?.(owned));
      await response.body?.cancel();
      assert.equal(response.status, row.expected[caller], caller);
    }
  });
}

async function send(
  key: string | null,
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
): Promise<Response> {
  const isFile = body instanceof Uint8Array;
  return await fetch(`${service.url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': isFile ? 'image/png' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isFile ? body : JSON.stringify(body) }),
  });
}
