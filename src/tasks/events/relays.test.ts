import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../../../test/databases.ts';
import type { Database } from '../../database/database.ts';
import { callbackTopic, relayToRunners } from './runner-relay.ts';
import { createTaskEvents, type TaskEvents } from './task-events.ts';

const WAIT = { timeoutMs: 60_000, signal: new AbortController().signal };

/** Disables the poll, which would find a change without an announcement. */
function eventsOf(database: Database): TaskEvents {
  const { kind, read } = database;
  return createTaskEvents({
    kind,
    read,
    announce: (topics) => database.announce(topics),
    onRemoteChange: (listener) => database.onRemoteChange(listener),
    changeCounter: () => {
      throw new Error('polls are not wanted here');
    },
  });
}

const next = (events: TaskEvents, taskId: string) => events.watch(taskId).next(0, WAIT);

test('waiters are notified of changes of their task, made in any process, and of no other task', async (t) => {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const [here, there] = [eventsOf(database), eventsOf(await openAnother())];
  let others = 0;
  void next(there, 'img_other').then(() => others++);
  const begun = performance.now();
  const both = Promise.all([next(here, 'img_1'), next(there, 'img_1')]);
  here.changed('img_1');
  await both;
  assert.ok(performance.now() - begun < 30_000, 'it heard, and did not wait in vain');
  assert.equal(others, 0);
  here.changed('img_other');
  await next(there, 'img_other');
});

test('runners of every process get each signal of new work, cancels and callbacks once', async (t) => {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const heard: string[] = [];
  const bothTold = Promise.withResolvers<void>();
  const runner = (name: string) => ({
    wake: () => heard.push(`${name} work`),
    cancelRequested: (taskId: string) => {
      heard.push(`${name} ${taskId}`);
      if (name === 'there') bothTold.resolve();
    },
    calledBack: (taskId: string, engine: string) => heard.push(`${name} ${taskId} ${engine}`) > 0,
  });
  const [here, there] = [runner('here'), runner('there')];
  const signals = relayToRunners(database, () => here);
  relayToRunners(await openAnother(), () => there);
  signals.wake();
  database.announce([callbackTopic('img_2', 'fal@upk_1')]);
  signals.cancelRequested('img_1');
  await bothTold.promise;
  assert.deepEqual(heard.sort(), ['here img_1', 'here work', 'there img_1', 'there img_2 fal@upk_1', 'there work']);
});
