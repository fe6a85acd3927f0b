import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { startTestService } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';
import { watchStatements } from '../../../test/plans/watch-statements.ts';

/** Who learns from a file's hash, or from the file, which task made it. */

const env = { DARKROOM_MAX_UPLOAD_MB: '0.1' };
const service = await startTestService(wholeFile, { env, service: { engines: [createSwiftEngine()] } });
const open = await startTestService(wholeFile, {
  env: { ...env, DARKROOM_PROVENANCE_LOOKUP: 'public' },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys } = service;
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' };
const UNKNOWN = createHash('sha256').update('nobody').digest('hex');

const made = (of = service, key = of.keys.test) => of.make(key, '/v1/images', ORDER);
const askedBy = (key: string | null, sha256: string | undefined, of = service) =>
  of.call(key, 'GET', `/v1/provenance?sha256=${sha256}` as '/v1/provenance');

async function sendFile(key: string | null, body: Uint8Array<ArrayBuffer>, type = 'image/png') {
  const response = await fetch(`${service.url}/v1/provenance`, {
    method: 'POST',
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), 'content-type': type },
    body,
  });
  return { status: response.status, ...((await response.json()) as { data?: object; error?: { code: string } }) };
}

test('the key that ordered finds the task by the hash and by the file, until it deletes the task', async () => {
  const task = await made();
  const { url = '', sha256 } = task.outputs[0] ?? {};
  const expected = { sha256, type: 'image', made_at: task.completed_at, task_id: task.task_id };
  assert.deepEqual((await askedBy(keys.test, sha256)).data, expected);
  const file = new Uint8Array(await (await fetch(url)).arrayBuffer());
  for (const type of ['image/png', 'application/octet-stream'])
    assert.deepEqual((await sendFile(keys.test, file, type)).data, expected);
  const changed = Uint8Array.from([...file, 0]);
  assert.equal((await sendFile(keys.test, changed)).status, 404);
  await call(keys.test, 'DELETE', `/v1/images/${task.task_id}`);
  assert.equal((await askedBy(keys.test, sha256)).status, 404);
  assert.equal((await askedBy(keys.admin, sha256)).status, 403);
});

test('a key of the account finds it only if it may see the account, an operator always, nobody else', async () => {
  const { task_id: id, outputs } = await made();
  const sha256 = outputs[0]?.sha256;
  const { key: viewer } = await service.issueKey({ mode: 'test', accountView: true });
  assert.equal((await askedBy(viewer, sha256)).data.task_id, id);
  const operator = await call(keys.admin, 'GET', `/admin/v1/provenance?sha256=${sha256}` as '/admin/v1/provenance');
  assert.equal(operator.data.task_id, id);
  const { key: other } = await service.issueKey({ mode: 'test' });
  const { key: live } = await service.issueKey({ mode: 'live', accountView: true });
  const accountId = await service.createAccount(null);
  const { key: stranger } = await service.issueKey({ mode: 'test', accountView: true, accountId });
  for (const key of [other, live, stranger]) assert.equal((await askedBy(key, sha256)).status, 404);
  assert.equal((await askedBy(null, sha256)).status, 401);
});

test('a stranger gets the same answer for a file of others as for none, by the same statements', async (t) => {
  const { outputs } = await made();
  const accountId = await service.createAccount(null);
  const { key } = await service.issueKey({ mode: 'test', accountView: true, accountId });
  const [foreign, unknown] = await Promise.all([outputs[0]?.sha256, UNKNOWN].map((sha256) => askedBy(key, sha256)));
  assert.ok(foreign !== undefined && unknown !== undefined);
  assert.deepEqual([foreign.status, foreign.error.message], [unknown.status, unknown.error.message]);
  const seen: string[][] = [];
  for (const sha256 of [outputs[0]?.sha256, UNKNOWN]) {
    const statements = watchStatements(t);
    await askedBy(key, sha256);
    seen.push(statements().flatMap(({ text }) => (text.includes('output_hashes') ? [text] : [])));
    t.mock.restoreAll();
  }
  assert.equal(seen[0]?.length, 1);
  assert.deepEqual(seen[0], seen[1]);
});

test('if the operator allows it, everybody learns that the service made a file and when, but not for whom', async () => {
  const task = await made(open);
  const sha256 = task.outputs[0]?.sha256;
  const accountId = await open.createAccount(null);
  const { key: stranger } = await open.issueKey({ mode: 'test', accountId });
  for (const key of [null, stranger]) {
    const { data } = await askedBy(key, sha256, open);
    assert.deepEqual(data, { sha256, type: 'image', made_at: task.completed_at, task_id: null });
    assert.equal((await askedBy(key, UNKNOWN, open)).status, 404);
  }
  assert.equal((await askedBy(open.keys.test, sha256, open)).data.task_id, task.task_id);
  assert.equal((await askedBy('dk_test_invalid', sha256, open)).status, 401);
});

test('a file over the limit, one in another form and a malformed hash are refused with the reason', async () => {
  const tooLarge = await sendFile(keys.test, new Uint8Array(randomBytes(200_000)));
  assert.deepEqual([tooLarge.status, tooLarge.error?.code], [413, 'body_too_large']);
  const chunked = await fetch(`${service.url}/v1/provenance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.test}`, 'content-type': 'image/png' },
    body: new Blob([new Uint8Array(200_000)]).stream(),
    duplex: 'half',
  } as RequestInit);
  assert.equal(chunked.status, 413);
  assert.equal((await sendFile(keys.test, new Uint8Array(8), 'multipart/form-data')).status, 415);
  assert.equal((await sendFile(keys.test, new Uint8Array(8), 'application/json')).status, 415);
  assert.equal((await sendFile(null, new Uint8Array(8))).status, 401);
  const { error } = await askedBy(keys.test, 'abc');
  assert.deepEqual([error.code, error.param], ['invalid_request', 'sha256']);
});
