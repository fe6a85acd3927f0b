import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { copyRows, wideReads } from './rows-read.ts';
import { watchStatements } from './watch-statements.ts';

const ORDER = { model_id: 'sketch', prompt: 'a fox', size: '256x256', end_user: 'ann' };
const CALL = { model: 'sketch', prompt: 'a fox', size: '256x256', user: 'ann' };
const EQUAL = 100_000;
/** Processes, queues, keys and what is open are few. */
const MOST_MORE = 60;

const id = (column: string) => `${column} || '-' || copy`;
const FINAL = "step = 'final' and end_user = 'ann'";

/** The tables that grow with each order, and how copies of an ended one differ. */
const GROWN = {
  tasks: { from: FINAL, differ: { id: id('id'), scope: id('scope'), created_at: 'created_at - copy' } },
  ledger: { from: "kind = 'charge'", differ: { task_id: id('task_id') } },
  idempotency: { from: 'true', differ: { idempotency_key: id('idempotency_key'), subject_id: id('subject_id') } },
  openai_calls: {
    from: 'delivered_at is not null',
    differ: { id: id('id'), created_at: 'created_at - copy', delivered_at: 'delivered_at - 3600000 - copy' },
  },
  output_hashes: { from: 'true', differ: { task_id: id('task_id') } },
  request_log: { from: 'true', differ: { id: id('id') } },
};

test('with 100,000 equal orders of one key and one end user, no statement on the way of an order reads more than it uses', async (t) => {
  const { config, call, issueKey, keys, make, service } = await startTestService(t, {
    service: { engines: [createSwiftEngine()] },
  });
  assert.ok(config.databaseUrl !== null, 'run it with --env-file=test/postgres.env');
  const limits = { day: 1_000_000, month: 2_000_000, total: null };
  const { key } = await issueKey({ mode: 'test', concurrency: 4, spendLimits: limits, endUserLimits: limits });
  const statementsSoFar = watchStatements(t);
  const named = { 'idempotency-key': 'the same' };
  for (let time = 1; time <= 2; time++) assert.equal((await call(key, 'POST', '/v1/images', ORDER, named)).status, 201);
  const { task_id: done } = await make(key, '/v1/images', ORDER);
  assert.equal((await call(key, 'GET', `/v1/images/${done}`)).status, 200);
  assert.equal((await call(key, 'GET', '/v1/images?limit=5')).status, 200);
  const stuck = await call(key, 'POST', '/v1/images', { ...ORDER, simulate: { outcome: 'stuck' } });
  await call(key, 'POST', `/v1/images/${stuck.data.task_id}/cancel`);
  for (const retry of ['0', '1', '2']) {
    const sent = { 'x-stainless-retry-count': retry };
    const { status } = await call(key, 'POST', '/openai/v1/images/generations', CALL, sent);
    assert.equal(status, 200);
  }
  assert.equal((await call(keys.admin, 'GET', '/readyz')).status, 200);
  const statements = statementsSoFar();
  for (const name of ['openai_calls', 'tasks', 'ledger', 'idempotency'])
    assert.ok(
      statements.some(({ text }) => text.includes(`"${name}"`)),
      `nothing names ${name}`,
    );
  await service.stop({ now: true });
  await copyRows(config.databaseUrl, GROWN, EQUAL);
  assert.deepEqual(await wideReads(config.databaseUrl, statements, MOST_MORE), []);
});

test('with 100,000 other orders of the day, a search for failures reads those that failed', async (t) => {
  const { config, call, keys, make, service } = await startTestService(t, {
    service: { engines: [createSwiftEngine()] },
  });
  assert.ok(config.databaseUrl !== null, 'run it with --env-file=test/postgres.env');
  await make(keys.test, '/v1/images', ORDER);
  const { data } = await call(keys.test, 'POST', '/v1/images', { ...ORDER, simulate: { outcome: 'timeout' } });
  await call(keys.test, 'GET', data.urls.self, undefined, { prefer: 'wait=20' });
  const statementsSoFar = watchStatements(t);
  for (const path of ['failures', 'failures?search=fox', 'failures/causes']) {
    const answer = await call(keys.admin, 'GET', `/admin/v1/${path}${path.includes('?') ? '&' : '?'}mode=test`);
    const { items } = answer.data as { items: unknown[] };
    assert.equal(items.length, path.includes('search') ? 0 : 1);
  }
  const statements = statementsSoFar().filter(({ text }) => text.includes('"tasks"'));
  assert.ok(statements.some(({ text }) => text.includes("'failed'")));
  await service.stop({ now: true });
  await copyRows(config.databaseUrl, { tasks: { ...GROWN.tasks, from: "status = 'succeeded'" } }, EQUAL);
  assert.deepEqual(await wideReads(config.databaseUrl, statements, MOST_MORE), []);
});
