import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { fingerprint } from '../../src/base/canonical-json.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Answers of a repeated POST, where something has happened since the first one. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const { call, issueKey, keys, database } = service;
const owner = (await issueKey({ mode: 'test' })).key;
const image = await service.make(owner, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
  .png()
  .toBuffer();

test('a repeated pause does not undo what somebody did since', async () => {
  const pause = (name: string) =>
    call(keys.admin, 'POST', '/admin/v1/engines/sketch/pause', { reason: 'costs' }, { 'idempotency-key': name });
  assert.equal((await pause('a')).data.paused, true);
  await call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume');
  const again = await pause('a');
  assert.deepEqual([again.status, again.data.paused], [200, false]);
  assert.equal((await pause('b')).data.paused, true);
  await call(keys.admin, 'POST', '/admin/v1/engines/sketch/resume');
});

test('a new or rotated key is answered without its secret, and with what to do', async () => {
  const create = () =>
    call(keys.admin, 'POST', '/admin/v1/keys', { mode: 'test', name: 'shop' }, { 'idempotency-key': 'shop' });
  const { data: made } = await create();
  assert.deepEqual([made.key?.startsWith('dk_test_'), made.message], [true, null]);
  const { data: known } = await create();
  assert.deepEqual({ ...known, message: null }, { ...made, key: null });
  assert.match(known.message ?? '', new RegExp(`rotate the key '${made.key_id}' with a new Idempotency-Key`));
  const path = `/admin/v1/keys/${made.key_id}/rotate` as const;
  const rotate = (name: string) => call(keys.admin, 'POST', path, { grace_seconds: 0 }, { 'idempotency-key': name });
  const { data: rotated } = await rotate('first');
  assert.equal((await rotate('first')).data.key, null);
  assert.equal((await call(rotated.key!, 'GET', '/v1/account')).status, 200, 'the repetition changed no secret');
});

test('a repeated token or link is the same, and ends when the first one does', async () => {
  const token = () => call(owner, 'POST', '/v1/client_tokens', { end_user: 'eve' }, { 'idempotency-key': 'token' });
  const share = () => call(owner, 'POST', '/v1/shares', { task_id: image.task_id }, { 'idempotency-key': 'share' });
  const [first, link] = [await token(), await share()];
  clock.advance(60_000);
  assert.deepEqual((await token()).data, first.data);
  assert.deepEqual((await share()).data, link.data);
  assert.equal((await call(first.data.token, 'GET', '/v1/models')).status, 200);
  await call(owner, 'DELETE', `/v1/shares/${link.data.share_id}`);
  const revoked = await share();
  assert.deepEqual([revoked.status, revoked.error.code], [404, 'not_found'], 'a revoked link is not made again');
  assert.equal((await call(owner, 'GET', `/v1/shares?task_id=${image.task_id}`)).data.items.length, 0);
});

test('a refused request binds nothing, and each API key has its own Idempotency-Keys', async () => {
  const share = (taskId: string, key = owner) =>
    call(key, 'POST', '/v1/shares', { task_id: taskId }, { 'idempotency-key': 'refused' });
  assert.equal((await share('img_00000000000000000000000000')).status, 404);
  assert.equal((await share(image.task_id)).headers.get('idempotent-replayed'), null);
  const { key } = await issueKey({ mode: 'test' });
  assert.equal((await share(image.task_id, key)).status, 404, "another key's request is judged by itself");
});

test('a repeated upload is the first file, also where its own bytes have left no room', async (t) => {
  const { url, keys: tight } = await startTestService(t, {
    env: { DARKROOM_KEY_STORAGE_MB: String(picture.byteLength / 1e6) },
    service: { engines: [createSwiftEngine()] },
  });
  const upload = async (name: string) => {
    const headers = { authorization: `Bearer ${tight.test}`, 'content-type': 'image/png', 'idempotency-key': name };
    const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(picture) });
    const { data } = (await response.json()) as { data?: { file_id: string } };
    return { status: response.status, id: data?.file_id };
  };
  const first = await upload('a');
  assert.deepEqual([first.status, (await upload('b')).status], [201, 409]);
  assert.deepEqual(await upload('a'), first);
});

test('the keys of credits from before are still known', async () => {
  const { account_id } = (await call(keys.admin, 'POST', '/admin/v1/accounts', { name: 'old' })).data;
  const amount = 5_000_000;
  const old = { scope: 'admin', idempotency_key: 'old', subject_id: account_id };
  const row = { ...old, fingerprint: fingerprint({ accountId: account_id, amount, note: null }) };
  await database.write('old', (trx) => trx.run(trx.builder.insertInto('idempotency').values(row)));
  const path = `/admin/v1/accounts/${account_id}/credit` as const;
  const again = await call(keys.admin, 'POST', path, { amount: '5.00' }, { 'idempotency-key': 'old' });
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
  assert.equal(again.data.balance, '0.00');
});
