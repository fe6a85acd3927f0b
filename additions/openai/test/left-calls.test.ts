import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** Clients that repeat a request without saying so, after their connection closed before the answer was written. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, { service: { clock, engines: [createSwiftEngine({}, clock)] } });
const { call, database, issueKey } = service;
const PATH = '/openai/v1/images/generations';
/** Is not finished before the clock is moved. */
const ORDER = { model: 'sketch', prompt: 'a fox', size: '512x512', simulate: { seconds: 60 } };
const tasksOf = async (key: string): Promise<TaskAnswer[]> => (await call(key, 'GET', '/v1/images')).data.items;
const ownKey = async () =>
  (await issueKey({ mode: 'test', accountId: await service.createAccount(null) })) as { key: string; key_id: string };

/** Sends a request and closes its connection once its order is there. Resolves when the service knows. */
async function sendAndLeave(
  { key, key_id }: { key: string; key_id: string },
  body: object = ORDER,
  more: Record<string, string> = {},
): Promise<void> {
  const [before, leftBefore] = [(await tasksOf(key)).length, await leftCalls(key_id)];
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more };
  const sent = fetch(`${service.url}${PATH}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: leaving.signal,
  }).catch(() => {});
  await until(
    () => tasksOf(key),
    (tasks) => tasks.length > before,
  );
  leaving.abort();
  await sent;
  await until(
    () => leftCalls(key_id),
    (count) => count > leftBefore,
  );
}

async function leftCalls(keyId: string): Promise<number> {
  const calls = database.read.builder.selectFrom('openai_calls').select('id').where('api_key_id', '=', keyId);
  return (await database.read.all(calls.where('left_at', 'is not', null))).length;
}

/** Sends the request again, and moves the clock until it is answered. */
async function sendAgain(key: string, body: object = ORDER, headers: Record<string, string> = {}) {
  let answer: Awaited<ReturnType<typeof ask>> | null = null;
  const ask = () => call(key, 'POST', PATH, body, headers);
  const asking = ask().then((one) => {
    answer = one;
  });
  await until(
    () => clock.advance(1_000),
    () => answer !== null,
  );
  await asking;
  return answer!;
}

test('the next equal request gets the order of the one that left, whoever sends it, and pays nothing more', async () => {
  const owner = await ownKey();
  await sendAndLeave(owner);
  const again = await sendAgain(owner.key, ORDER, { 'user-agent': 'another client' });
  assert.equal(again.status, 200, JSON.stringify(again.body));
  const tasks = await tasksOf(owner.key);
  assert.equal(tasks.length, 1);
  assert.equal(again.headers.get('darkroom-task-ids'), tasks[0]?.task_id);
  assert.equal((await call(owner.key, 'GET', '/v1/account')).data.balance, '-0.005');
});

test('an order that left is given to one request only, and to none with another body, end user, mode of repeating or key', async () => {
  const [owner, stranger] = [await ownKey(), await ownKey()];
  await sendAndLeave(owner);
  await sendAndLeave(owner, { ...ORDER, prompt: 'an owl' });
  await sendAndLeave(owner, { ...ORDER, user: 'somebody' });
  await sendAndLeave(owner, ORDER, { 'idempotency-key': 'one' });
  await sendAndLeave(stranger);
  assert.deepEqual([(await tasksOf(owner.key)).length, (await tasksOf(stranger.key)).length], [4, 1]);
  await Promise.all([sendAgain(owner.key), sendAgain(owner.key)]);
  assert.equal((await tasksOf(owner.key)).length, 5);
});

test('who leaves again is found again, and the retries of an OpenAI client are counted from there', async () => {
  const owner = await ownKey();
  await sendAndLeave(owner);
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' };
  const second = fetch(`${service.url}${PATH}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ORDER),
    signal: leaving.signal,
  }).catch(() => {});
  await until(
    () => leftCalls(owner.key_id),
    (count) => count === 0,
  );
  leaving.abort();
  await second;
  await until(
    () => leftCalls(owner.key_id),
    (count) => count === 1,
  );
  const retried = await sendAgain(owner.key, ORDER, { 'x-stainless-lang': 'js', 'x-stainless-retry-count': '1' });
  assert.ok([200, 303].includes(retried.status), `${retried.status}`);
  assert.equal((await tasksOf(owner.key)).length, 1);
});

test('two minutes after it left, an order belongs to no later request', async () => {
  const owner = await ownKey();
  await sendAndLeave(owner);
  clock.advance(121_000);
  await sendAgain(owner.key);
  assert.equal((await tasksOf(owner.key)).length, 2);
});
