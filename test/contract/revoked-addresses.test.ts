import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { revokeKey } from '../../src/accounts/api-keys.ts';
import { createGatedEngine } from '../helpers/gated-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Signed addresses of files end with the key that they were made for. */

const engine = createGatedEngine();
const service = await startTestService(wholeFile, { service: { engines: [engine] } });
const { call, database, issueKey, keys, make, url } = service;
const order = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };

/** Uploads a picture and returns its signed address. */
async function upload(key: string): Promise<string> {
  const answer = await fetch(`${url}/v1/files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
    body: Buffer.from(await smallPicture),
  });
  assert.equal(answer.status, 201);
  return ((await answer.json()) as { readonly data: { readonly url: string } }).data.url;
}

/** The addresses of an output, of its thumbnail, of an upload and of the order's events. */
async function addressesOf(key: string): Promise<string[]> {
  const task = await make(key, '/v1/images', order);
  const [output] = task.outputs;
  assert.ok(output?.thumbnail_url, JSON.stringify(task));
  return [output.url, output.thumbnail_url, await upload(key), task.urls.events];
}

async function statusesOf(addresses: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(addresses.map((address) => fetch(address)));
  for (const { body } of answers) await body?.cancel();
  return answers.map(({ status }) => status);
}

const FILES = [200, 200, 200];

test('a revoked key ends the addresses of its outputs, thumbnails and uploads, and of no other key', async () => {
  const [gone, kept] = [await issueKey({ mode: 'test' }), await issueKey({ mode: 'test' })];
  const [ended, untouched] = [await addressesOf(gone.key), await addressesOf(kept.key)];
  assert.deepEqual(await statusesOf(ended), [...FILES, 200]);
  const revoked = await call(keys.admin, 'POST', `/admin/v1/keys/${gone.key_id}/revoke`);
  assert.ok(revoked.status < 300, JSON.stringify(revoked.body));
  assert.deepEqual((await statusesOf(ended)).slice(0, 3), [403, 403, 403]);
  const refused = await call(null, 'GET', ended[0] ?? '');
  assert.equal(refused.error.code, 'forbidden');
  assert.match(refused.error.message, /API key of this signed URL was revoked/);
  assert.deepEqual(await statusesOf(untouched), [...FILES, 200]);
});

test('so does a key that another process revoked', async () => {
  const gone = await issueKey({ mode: 'test' });
  const addresses = await addressesOf(gone.key);
  assert.deepEqual((await statusesOf(addresses)).slice(0, 3), FILES);
  const now = Date.now();
  await revokeKey(database, { actor: 'test', now, createId: createIdFactory(() => now) }, gone.key_id);
  assert.deepEqual((await statusesOf(addresses)).slice(0, 3), [403, 403, 403]);
});

test('a rotated key keeps its addresses', async () => {
  const { key, key_id } = await issueKey({ mode: 'test' });
  const addresses = await addressesOf(key);
  const rotated = await call(keys.admin, 'POST', `/admin/v1/keys/${key_id}/rotate`, { grace_seconds: 0 });
  assert.ok(rotated.status < 300, JSON.stringify(rotated.body));
  assert.deepEqual((await statusesOf(addresses)).slice(0, 3), FILES);
});

test('the files of an order that still runs end with it', async () => {
  const gone = await issueKey({ mode: 'test' });
  const address = await upload(gone.key);
  const { data } = await call(gone.key, 'POST', '/v1/images', { ...order, prompt: 'hold the fox' });
  const revoked = await call(keys.admin, 'POST', `/admin/v1/keys/${gone.key_id}/revoke`);
  assert.ok(revoked.status < 300, JSON.stringify(revoked.body));
  assert.deepEqual(await statusesOf([address]), [200]);
  engine.letEnd('hold the fox');
  const task = () => call(keys.admin, 'GET', `/admin/v1/tasks/${data.task_id}`);
  await until(task, (answer) => answer.data.status === 'succeeded');
  assert.deepEqual(await statusesOf([address]), [403]);
});
