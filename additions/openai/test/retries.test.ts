import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { type RouteAnswer, startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { ManualClock } from '../../../test/helpers/task-services.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** What OpenAI's clients do when an answer is late or lost: one order, one charge, one result. */

const clock = new ManualClock();
const service = await startTestService(wholeFile, {
  settings: { openai: { holdMs: 200 } },
  config: { budgets: { ...loadConfig({}).budgets, waits: 1 } },
  service: { clock, engines: [createSwiftEngine({}, clock)] },
});
const { call, issueKey } = service;
const PATH = '/openai/v1/images/generations';
/** Costs 0.005, and is not finished before the clock is moved. */
const SLOW = { model: 'sketch', prompt: 'a fox', size: '512x512', simulate: { seconds: 60 } };
const { simulate: _, ...SWIFT } = SLOW;
const sdk = (retry: number) => ({ 'x-stainless-lang': 'js', 'x-stainless-retry-count': String(retry) });
const send = (key: string, retry: number, body: object = SLOW, headers = {}) =>
  call(key, 'POST', PATH, body, { ...sdk(retry), ...headers });
const tasksOf = async (key: string): Promise<TaskAnswer[]> => (await call(key, 'GET', '/v1/images')).data.items;
/** The call that an answer leads to. */
const callIn = (answer: { headers: Headers }) =>
  /^\/openai\/v1\/images\/results\/(call_\w+)\?hop=1$/.exec(answer.headers.get('location') ?? '')?.[1];

type ImagesAnswer = RouteAnswer<'GET', `/openai/v1/images/results/${string}`>;
const locationOf = (answer: { headers: Headers }) =>
  (answer.headers.get('location') ?? '') as `/openai/v1/images/results/${string}`;

/** Follows an answer as OpenAI's clients do. */
async function follow(key: string, sent: Promise<ImagesAnswer>): Promise<ImagesAnswer> {
  let answer = await sent;
  while (answer.status === 303) answer = await call(key, 'GET', locationOf(answer), undefined, sdk(0));
  return answer;
}

async function ownKey(): Promise<string> {
  return (await issueKey({ mode: 'test', accountId: await service.createAccount(null) })).key;
}

/** Moves the clock until the key's tasks are final. */
async function finish(key: string): Promise<void> {
  await until(
    async () => {
      clock.advance(61_000);
      return await tasksOf(key);
    },
    (tasks) => tasks.every((task) => ['succeeded', 'failed'].includes(task.status)),
  );
}

test('a client that follows redirects is sent from hop to hop, each time to a relative address, until the image is there', async () => {
  const key = await ownKey();
  const first = await send(key, 0);
  assert.equal(first.status, 303);
  const id = callIn(first);
  assert.ok(id, first.headers.get('location') ?? 'no location');
  const second = await call(key, 'GET', `/openai/v1/images/results/${id}?hop=1`, undefined, sdk(0));
  assert.deepEqual([second.status, second.headers.get('location')], [303, `/openai/v1/images/results/${id}?hop=2`]);
  await finish(key);
  const last = await call(key, 'GET', `/openai/v1/images/results/${id}?hop=2`, undefined, sdk(0));
  assert.deepEqual([last.status, last.body.data.length], [200, 1]);
  assert.equal(last.headers.get('x-litellm-response-cost'), '0.005');
  assert.equal((await tasksOf(key)).length, 1);
});

test('clients that were seen to follow redirects are sent on as often as they follow, and then told what to collect', async () => {
  const key = await ownKey();
  const id = callIn(await send(key, 0));
  const agents = [
    ['ai/7.0.173 ai-sdk/provider-utils/5.0.81 runtime/node.js/26', 18],
    ['node', 18],
    ['node-fetch', 18],
    ['axios/1.21.1', 18],
    ['python-requests/2.34.2', 18],
    // They give up at the tenth.
    ['Python/3.11 aiohttp/3.14.5', 9],
    ['Python-urllib/3.11', 9],
    ['litellm/1.110.2', 9],
    ['curl/8.14.1', 0],
    ['node-something-else', 0],
  ] as const;
  const at = async (agent: string, hop: number) => {
    const headers = { 'user-agent': agent };
    const { status, error } = await call(key, 'GET', `/openai/v1/images/results/${id}?hop=${hop}`, undefined, headers);
    // A client may be told not to follow.
    assert.equal(error.code, 'not_final');
    return status;
  };
  const found = await Promise.all(
    agents.map(async ([agent, most]) => [agent, await at(agent, Math.max(0, most - 1)), await at(agent, most)]),
  );
  assert.deepEqual(
    found,
    agents.map(([agent, most]) => [agent, most === 0 ? 422 : 303, 422]),
  );
  assert.equal((await tasksOf(key)).length, 1);
});

test('any other client is held, and then told which task to collect and how', async () => {
  const key = await ownKey();
  const { status, headers, error } = await call(key, 'POST', PATH, SLOW, { 'user-agent': 'curl/8.14.1' });
  const task = (await tasksOf(key))[0]!;
  assert.deepEqual([status, error.code, error.status], [422, 'not_final', 422]);
  assert.equal(headers.get('x-should-retry'), 'false');
  assert.equal(headers.get('darkroom-task-ids'), task.task_id);
  const address = locationOf({ headers });
  assert.ok(error.message.includes(task.task_id) && error.message.includes(address), error.message);
  await finish(key);
  const collected = await call(key, 'GET', address);
  assert.deepEqual([collected.status, collected.body.data.length], [200, 1]);
});

test('a retry of a call whose answer was lost gets that call, and orders nothing', async () => {
  const key = await ownKey();
  const first = await send(key, 0);
  for (const retry of [1, 2]) assert.equal(callIn(await send(key, retry)), callIn(first), `retry ${retry}`);
  await finish(key);
  const third = await follow(key, send(key, 3));
  assert.deepEqual([third.status, third.body.data.length], [200, 1]);
  assert.equal((await tasksOf(key)).length, 1);
  assert.equal((await call(key, 'GET', '/v1/account')).data.balance, '-0.005');
});

test('two equal calls side by side stay two, and each retry gets its own', async () => {
  const key = await ownKey();
  const [one, two] = [callIn(await send(key, 0)), callIn(await send(key, 0))];
  assert.notEqual(one, two);
  assert.deepEqual([callIn(await send(key, 1)), callIn(await send(key, 1))], [one, two]);
  assert.deepEqual([callIn(await send(key, 2)), callIn(await send(key, 2))], [one, two]);
  assert.equal((await tasksOf(key)).length, 2);
});

test('a retry that overtakes an earlier one finds the same call', async () => {
  const key = await ownKey();
  const first = callIn(await send(key, 0));
  for (const retry of [2, 1]) assert.equal(callIn(await send(key, retry)), first, `retry ${retry}`);
  assert.equal((await tasksOf(key)).length, 1);
});

test('many retries at once share the lost calls out among themselves', async () => {
  const key = (await issueKey({ mode: 'test' })).key;
  const lost: (string | undefined)[] = [];
  for (let count = 0; count < 6; count++) lost.push(callIn(await send(key, 0)));
  const waits = Array.from({ length: 12 }, async () => {
    for (;;) {
      const answer = await send(key, 1);
      // One request at a time may wait, so the others are refused before they order.
      if (answer.status !== 429) return callIn(answer);
    }
  });
  const got = await Promise.all(waits);
  assert.deepEqual(got.filter((id) => lost.includes(id)).sort(), lost.toSorted());
  assert.equal(new Set(got).size, 12);
  assert.equal((await tasksOf(key)).length, 12);
});

test('a retry with another body or another key is an order of its own', async () => {
  const [key, other] = [await ownKey(), await ownKey()];
  const first = callIn(await send(key, 0));
  const strangers = [await send(key, 1, { ...SLOW, prompt: 'an owl' }), await send(other, 1)];
  for (const stranger of strangers) assert.notEqual(callIn(stranger), first);
  assert.deepEqual([(await tasksOf(key)).length, (await tasksOf(other)).length], [2, 1]);
});

test('an answer that was sent a moment ago may have been lost; after two minutes it counts as received', async () => {
  const key = await ownKey();
  const [first, again] = [await follow(key, send(key, 0, SWIFT)), await follow(key, send(key, 1, SWIFT))];
  assert.deepEqual(again.body, first.body);
  assert.equal((await tasksOf(key)).length, 1);
  await until(
    async () => {
      clock.advance(121_000);
      await send(key, 2, SWIFT);
      return (await tasksOf(key)).length;
    },
    (count) => count === 2,
  );
});

test('the order of a video is attached to in the same way', async () => {
  const key = await ownKey();
  const film = { model: 'sketch-motion', prompt: 'a fox', seconds: '1', simulate: { seconds: 60 } };
  const order = (retry: number) => call(key, 'POST', '/openai/v1/videos', film, sdk(retry));
  const [first, again, another] = [await order(0), await order(1), await order(0)];
  assert.equal(first.status, 200, JSON.stringify(first.body));
  assert.equal(again.body.id, first.body.id);
  assert.notEqual(another.body.id, first.body.id);
});

test('a failed order answers its retry as it answered before, and is not ordered again', async () => {
  const key = await ownKey();
  const body = { ...SWIFT, simulate: { outcome: 'content_policy' } };
  const [first, again] = [await follow(key, send(key, 0, body)), await follow(key, send(key, 1, body))];
  assert.deepEqual([again.status, again.body], [400, first.body]);
  assert.equal((await tasksOf(key)).length, 1);
});

test('an Idempotency-Key decides alone: it finds its call by itself, and no retry without it does', async () => {
  const key = await ownKey();
  const named = { 'idempotency-key': 'one' };
  const first = callIn(await send(key, 0, SLOW, named));
  assert.equal(callIn(await send(key, 0, SLOW, named)), first);
  assert.equal(callIn(await send(key, 1, SLOW, named)), first);
  assert.notEqual(callIn(await send(key, 1, SLOW, { 'idempotency-key': 'two' })), first);
  assert.notEqual(callIn(await send(key, 1)), first);
  assert.equal((await tasksOf(key)).length, 3);
});

test('whether a call may wait is decided before it orders, and a result address is never refused for it', async () => {
  const key = (await issueKey({ mode: 'test' })).key;
  const waiting = await send(key, 0);
  const path = `/openai/v1/images/results/${callIn(waiting)}`;
  const [held, ...others] = await Promise.all([
    send(key, 0, { ...SLOW, prompt: 'an owl' }),
    send(key, 0, { ...SLOW, prompt: 'a cat' }),
    ...Array.from({ length: 6 }, () => call(key, 'GET', `${path}?hop=1`, undefined, sdk(0))),
  ]);
  const posts = [held, others[0]];
  assert.deepEqual(posts.map((one) => one?.status).sort(), [303, 429]);
  const refused = posts.find((one) => one?.status === 429);
  assert.ok(Number(refused?.headers.get('retry-after-ms')) <= 60_000);
  assert.deepEqual(
    others.slice(1).map(({ status }) => status),
    Array.from({ length: 6 }, () => 303),
  );
  assert.equal((await tasksOf(key)).length, 2);
});

test('a result belongs to the key that ordered it', async () => {
  const [key, other] = [await ownKey(), await ownKey()];
  const path = `/openai/v1/images/results/${callIn(await send(key, 0))}`;
  const { status, error } = await call(other, 'GET', path);
  assert.deepEqual([status, error.code], [404, 'task_not_found']);
  assert.equal((await call(null, 'GET', path)).status, 401);
});
