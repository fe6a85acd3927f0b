import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AnswerWorld, openAnswerWorld } from '../../../test/helpers/answer-world.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import { eraseTask } from '../../erasure/erase-task.ts';

/** What happens between an engine's answer and the end of the task. */
const EVENTS = [
  // The process tries to store the answer once, with whatever fails at that moment.
  'attempt',
  'round',
  'database away',
  'database loses confirmations',
  'database back',
  'spool full',
  'spool has room',
  'kill',
  'stop',
  'restart',
  'neighbour takes the task and finds nothing to ask by',
  'another host takes the task',
  'another host gives the task up',
] as const;

test('after any failure or takeover, an answer is used once or reported once, and not lost while its process or disk survives', async (t) => {
  const world = await openAnswerWorld(t);
  const key = await insertKey(world.services);
  const events = fc.array(fc.constantFrom(...EVENTS), { minLength: 1, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(events, fc.constantFrom('operation' as const, 'delivery' as const), async (happens, kind) => {
      const order = await world.answeredOrder(key, kind);
      for (const event of happens) await apply(world, event);
      await world.heal();
      const { task, reports, entries } = await world.booksOf(order);
      const used = task.status === 'succeeded' || task.step === 'running';
      assert.ok(!(used && reports.length > 0), 'used and reported');
      assert.ok(reports.length <= 1, `reported ${reports.length} times`);
      if (!world.isLost)
        assert.ok(used || reports.length === 1, `lost: ${task.step} ${task.status} ${task.error_json}`);
      for (const { kept_at } of reports)
        assert.ok(existsSync(join(kept_at, 'answer.json')), 'what is reported is kept');
      if (task.status === 'succeeded') assert.deepEqual(entries, ['hold', 'release', 'charge']);
      else assert.deepEqual(entries, task.step === 'final' ? ['hold', 'release'] : ['hold']);
      assert.deepEqual(
        (await readdir(world.spoolDirectory).catch(() => [])).filter((name) => name !== 'late-results'),
        [],
        'nothing is left in the spool',
      );
    }),
    { numRuns: 100 },
  );
});

test('a result that came too late is kept until its task is erased', async (t) => {
  const world = await openAnswerWorld(t);
  const order = await world.answeredOrder(await insertKey(world.services), 'delivery');
  await world.giveUpElsewhere();
  await world.round();
  const { reports } = await world.booksOf(order);
  assert.equal(reports.length, 1);
  const kept = String(reports[0]?.kept_at);
  await world.restart();
  assert.ok(existsSync(kept));
  await eraseTask(world.services, order, { deletedAt: null });
  await world.restart();
  assert.ok(!existsSync(kept));
});

async function apply(world: AnswerWorld, event: (typeof EVENTS)[number]): Promise<void> {
  switch (event) {
    case 'attempt':
      return await world.attempt();
    case 'round':
      return await world.round();
    case 'database away':
      world.faults.database = 'before';
      return;
    case 'database loses confirmations':
      world.faults.database = 'after';
      return;
    case 'database back':
      world.faults.database = null;
      return;
    case 'spool full':
      world.faults.spool = true;
      return;
    case 'spool has room':
      world.faults.spool = false;
      return;
    case 'kill':
      return world.kill();
    case 'stop':
      return await world.stop();
    case 'restart':
      return await world.restart();
    case 'neighbour takes the task and finds nothing to ask by':
      return await world.neighbour();
    case 'another host takes the task':
      return void (await world.takeElsewhere());
    case 'another host gives the task up':
      return await world.giveUpElsewhere();
  }
}
