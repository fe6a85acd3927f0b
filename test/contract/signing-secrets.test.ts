import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from '@darkroom-service/contract';
import { until } from '@darkroom-service/testing';
import { rotateSigningSecrets } from '../../src/accounts/signing-secrets.ts';
import { runDarkroom } from '../helpers/run-darkroom.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What a rotation of the signing secrets ends, and when. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const { call, database, keys, make } = service;
const GRACE_MS = 600_000;

const image = await make(keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K' });

/** One of each that is signed, as customers get it now. */
async function handOut() {
  const task = await call(keys.test, 'GET', image.urls.self);
  const share = await call(keys.test, 'POST', '/v1/shares', { task_id: image.task_id });
  const token = await call(keys.test, 'POST', '/v1/client_tokens', { end_user: 'ada' });
  const { outputs, urls } = task.data as typeof image;
  const [output] = outputs;
  assert.ok(output !== undefined);
  return { file: output.url, share: share.data.url, events: urls.events, token: token.data.token };
}

async function statusesOf({ token, ...addresses }: Awaited<ReturnType<typeof handOut>>): Promise<number[]> {
  const answers = await Promise.all([
    ...Object.values(addresses).map((address) => fetch(address)),
    fetch(`${service.url}/v1/models`, { headers: { authorization: `Bearer ${token}` } }),
  ]);
  for (const { body } of answers) await body?.cancel();
  return answers.map(({ status }) => status);
}

const rotate = async (grace: number) => {
  const answer = await call(keys.admin, 'POST', '/admin/v1/signing_secrets/rotate', { grace_seconds: grace });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer;
};

const GOOD = [200, 200, 200, 200];
const ENDED = [403, 403, 403, 401];

test('without a grace, what was signed before stops at once, and what is handed out then works', async () => {
  const before = await handOut();
  assert.deepEqual(await statusesOf(before), GOOD);
  await rotate(0);
  assert.deepEqual(await statusesOf(before), ENDED);
  const after = await handOut();
  assert.notEqual(after.file, before.file);
  assert.deepEqual(await statusesOf(after), GOOD);
});

test('with a grace both work until it ends, and the new ones on', async () => {
  const before = await handOut();
  const { data } = await rotate(600);
  assert.equal(Date.parse(data.previous_until), clock.now() + GRACE_MS);
  assert.equal((await handOut()).file, before.file, 'other processes may not know the new secret yet');
  clock.advance(5_000);
  const after = await handOut();
  assert.notEqual(after.file, before.file);
  assert.deepEqual([await statusesOf(before), await statusesOf(after)], [GOOD, GOOD]);
  clock.advance(GRACE_MS);
  assert.equal((await statusesOf(before))[0], 403);
  assert.equal((await statusesOf(before))[3], 401);
  assert.deepEqual(await statusesOf(after), GOOD);
});

test('a second rotation ends what the first one kept', async () => {
  const before = await handOut();
  await rotate(600);
  await rotate(600);
  assert.deepEqual(await statusesOf(before), ENDED);
});

test('a rotation by another process applies by itself', async () => {
  const before = await handOut();
  const now = clock.now();
  const by = { actor: 'test', now, createId: createIdFactory(() => now) };
  await rotateSigningSecrets(database, by, { graceMs: 0 });
  await until(
    async () => (await statusesOf(before))[0],
    (status) => status === 403,
  );
  clock.advance(2_000);
  assert.deepEqual(await statusesOf(before), ENDED);
  assert.deepEqual(await statusesOf(await handOut()), GOOD);
});

test('a rotation is in the audit log, and no secret is in any answer', async () => {
  const { body } = await rotate(60);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/audit?limit=1');
  assert.deepEqual([data.items[0]?.act, data.items[0]?.detail], ['signing_secrets.rotate', { grace_seconds: 60 }]);
  const rows = await database.read.all(database.read.builder.selectFrom('secrets').selectAll());
  const told = JSON.stringify([body, data]);
  for (const { name, value } of rows) assert.ok(!told.includes(value), name);
});

test('the command rotates too, once for each Idempotency-Key', async () => {
  const before = await handOut();
  const { dataDirectory, databaseUrl } = service.config;
  const variables = {
    DARKROOM_DATA_DIR: dataDirectory,
    ...(databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: databaseUrl }),
  };
  const words = ['secrets', 'rotate', '--grace', '0', '--idempotency-key', 'once', '--json'];
  const first = await runDarkroom(words, variables, dataDirectory);
  assert.deepEqual([first.code, first.stderr], [0, '']);
  await until(
    () => {
      clock.advance(1_000);
      return statusesOf(before);
    },
    (statuses) => statuses.join() === ENDED.join(),
  );
  const after = await handOut();
  const again = await runDarkroom(words, variables, dataDirectory);
  assert.deepEqual([again.code, again.stdout], [0, first.stdout]);
  assert.deepEqual(await statusesOf(after), GOOD);
});
