import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../test/databases.ts';
import { relayToRunners } from './runner-relay.ts';
import { createTaskEvents } from './task-events.ts';

const WAIT = { timeoutMs: 60_000, signal: new AbortController().signal };

test('who waits for a task hears of its change in this process and in others, and of no other task', async (t) => {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const [here, there] = [createTaskEvents(database), createTaskEvents(await openAnother())];
  let others = 0;
  void there.nextChange('img_other', WAIT).then(() => others++);
  const begun = performance.now();
  const both = Promise.all([here.nextChange('img_1', WAIT), there.nextChange('img_1', WAIT)]);
  here.changed('img_1');
  await both;
  assert.ok(performance.now() - begun < 30_000, 'it heard, and did not wait in vain');
  assert.equal(others, 0);
  here.changed('img_other');
  await there.nextChange('img_other', WAIT);
});

test('runners of every process are told of work and of wishes to cancel, each signal once', async (t) => {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const heard: string[] = [];
  const bothTold = Promise.withResolvers<void>();
  const runner = (name: string) => ({
    wake: () => heard.push(`${name} work`),
    cancelRequested: (taskId: string) => {
      heard.push(`${name} ${taskId}`);
      if (name === 'there') bothTold.resolve();
    },
  });
  const [here, there] = [runner('here'), runner('there')];
  const signals = relayToRunners(database, () => here);
  relayToRunners(await openAnother(), () => there);
  signals.wake();
  signals.cancelRequested('img_1');
  await bothTold.promise;
  assert.deepEqual(heard.sort(), ['here img_1', 'here work', 'there img_1', 'there work']);
});
