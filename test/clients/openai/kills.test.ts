import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { assertBooks, readTasks } from '../../crash/books.ts';
import { openPremises } from '../../crash/child-service.ts';
import { until } from '../../until.ts';
import { openFaultProxy } from '../fault-proxy.ts';
import { openaiForNode, openaiForPython, type PublishedClient } from './clients.ts';

/** A killed process's claims end by themselves. */
const PAST_THE_LEASES_MS = 61_000;
/** Enough for a service to start again, also on a slow machine. */
const TRIES = 20;

/** The process of the service is killed while the client waits, and another one starts behind the same address. */
async function survivesAKill(t: TestContext, client: PublishedClient): Promise<void> {
  const premises = await openPremises(t, [{ name: 'paid-polled', workMs: 8000 }]);
  const first = await premises.start();
  const proxy = await openFaultProxy(t, first.url);
  const order = ['images.generate', { model: 'paid-polled', prompt: 'a fox' }] as const;
  const answer = client.call(proxy.url, premises.keys.live, order, { maxRetries: TRIES });
  // Killed earlier, the order may or may not have reached the upstream, and nobody sends it again.
  await until(
    () => readTasks(premises.database),
    (tasks) => tasks[0]?.step === 'running',
  );
  first.process.kill('SIGKILL');
  await first.ended;
  premises.aheadMs += PAST_THE_LEASES_MS;
  proxy.target = (await premises.start()).url;
  const { value, error } = await answer;
  assert.equal(error, undefined);
  assert.deepEqual([value.data.length, value.size], [1, '8x8']);
  const tasks = await readTasks(premises.database);
  assert.deepEqual(
    tasks.map(({ status, charged }) => [status, charged]),
    [['succeeded', 40_000]],
  );
  await assertBooks(premises);
}

test('openai for Node: a process that is killed while the client waits is one order and one charge', (t) =>
  survivesAKill(t, openaiForNode));
test('openai for Python: a process that is killed while the client waits is one order and one charge', (t) =>
  survivesAKill(t, openaiForPython));
