import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { assertBooks, readTasks } from './books.ts';
import { openPremises } from './child-service.ts';
import { readSubmissions } from './paid-engine.ts';
import { createPatientClient } from './patient-client.ts';

const CALLERS = 100;

test('a hundred simultaneous orders with one Idempotency-Key are one task and one hold', async (t) => {
  const { call, keys, database } = await startTestService(t);
  const body = { model_id: 'sketch', prompt: 'a fox', size: '64x64', simulate: { seconds: 3600 } };
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, () =>
      call(keys.test, 'POST', '/v1/images', body, { 'idempotency-key': 'the same' }),
    ),
  );
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
  assert.equal(new Set(answers.map((answer) => answer.data.task_id)).size, 1);
  const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true');
  assert.equal(replayed.length, CALLERS - 1);
  const tasks = await readTasks(database);
  const holds = await database.read.all(
    database.read.builder.selectFrom('ledger').select('amount').where('kind', '=', 'hold'),
  );
  assert.deepEqual(
    holds.map((hold) => hold.amount),
    tasks.map((task) => -task.price),
  );
  assert.equal(tasks.length, 1);
});

test('a hundred callers who repeat one order through two kills get one task, which is submitted once', async (t) => {
  const engine = { name: 'paid-polled', workMs: 300 };
  const premises = await openPremises(t, [engine]);
  const client = createPatientClient();
  const body = { model_id: engine.name, prompt: 'a fox' };
  // Without `Prefer: wait`, with which it would be as good as sent once it is placed.
  const headers = { 'idempotency-key': 'the same' };
  const asking = Array.from({ length: CALLERS }, () =>
    client.call(premises.keys.live, 'POST', '/v1/images', body, headers),
  );
  for (const moment of ['before', 'after'] as const) {
    const child = await premises.start({ kill: { name: 'create_task', moment } });
    client.use(child);
    assert.equal((await child.ended).signal, 'SIGKILL');
    assert.equal((await readTasks(premises.database)).length, moment === 'before' ? 0 : 1);
    premises.aheadMs += 16_000;
  }
  client.use(await premises.start());
  const answers = await Promise.all(asking);
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
  const [id = '', ...others] = new Set(answers.map((answer) => answer.body.data.task_id));
  assert.deepEqual(others, []);
  assert.equal((await client.final(premises.keys.live, '/v1/images', id)).status, 'succeeded');
  await assertBooks(premises);
  assert.equal(readSubmissions(premises.books).length, 1);
});

test('an operator who repeats a refund through two kills gives the charge back once', async (t) => {
  const engine = { name: 'paid-polled' };
  const premises = await openPremises(t, [engine]);
  const { database, keys } = premises;
  const client = createPatientClient();
  let child = await premises.start();
  client.use(child);
  const id = await client.order(keys.live, '/v1/images', { model_id: engine.name, prompt: 'a fox' });
  const { cost } = await client.final(keys.live, '/v1/images', id);
  await child.killAt({ name: 'refund_task', moment: 'before' });
  const path = `/admin/v1/tasks/${id}/refund` as const;
  const asking = client.call(keys.admin, 'POST', path, undefined, { 'idempotency-key': 'refund' });
  for (const moment of ['before', 'after'] as const) {
    assert.equal((await child.ended).signal, 'SIGKILL');
    const [task] = await readTasks(database);
    assert.equal(task?.refunded, moment === 'before' ? null : task?.price, moment);
    await assertBooks(premises);
    premises.aheadMs += 16_000;
    child = await premises.start(moment === 'before' ? { kill: { name: 'refund_task', moment: 'after' } } : {});
    client.use(child);
  }
  const answer = await asking;
  assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, 'true']);
  assert.deepEqual([answer.body.data.charged, answer.body.data.refunded], ['0.00', cost.amount]);
  await assertBooks(premises);
});
