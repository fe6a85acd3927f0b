import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { openTestDatabase } from '../../../test/helpers/databases.ts';
import type { Database } from '../../database/database.ts';
import { relayToRunners } from './runner-relay.ts';
import { TaskEvents } from './task-events.ts';

const WAIT = { timeoutMs: 60_000, signal: new AbortController().signal };

/** Disables the poll, which would find a change without an announcement. */
function eventsOf(database: Database): TaskEvents {
  const { kind } = database;
  const rows = ['img_1', 'img_other'].map((id) => ({ id, revision: 0 }));
  const read = { builder: database.read.builder, all: async () => rows } as unknown as Database['read'];
  return new TaskEvents({
    kind,
    read,
    announce: (channel, topics) => database.announce(channel, topics),
    listenTo: (channel, onListening) => database.listenTo(channel, onListening),
    onRemoteChange: (listener) => database.onRemoteChange(listener),
    changeCounter: () => {
      throw new Error('polls are not wanted here');
    },
  });
}

const NO_WORKERS = { runner: null, queues: new Map() };

/** Resolves once a process hears what is announced to it. */
const listening = (database: Database) => new Promise<void>((resolve) => void database.listenTo('heard-last', resolve));

const next = (events: TaskEvents, taskId: string) => events.watch(taskId).next(0, WAIT);

test('waiters are notified of changes of their task, made in any process, and of no other task', async (t) => {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const another = await openAnother();
  const [here, there] = [eventsOf(database), eventsOf(another)];
  let others = 0;
  void next(there, 'img_other').then(() => others++);
  const begun = performance.now();
  const both = Promise.all([next(here, 'img_1'), next(there, 'img_1')]);
  // The last channel that it begins to listen to.
  await listening(another);
  here.changed('img_1');
  await both;
  assert.ok(performance.now() - begun < 30_000, 'it heard, and did not wait in vain');
  assert.equal(others, 0);
  here.changed('img_other');
  await next(there, 'img_other');
});

/** What the workers of some processes hear, in order. */
async function openWorkers(t: TestContext, options: { readonly isIdle: boolean; readonly areKnown: boolean }) {
  const { database, openAnother } = await openTestDatabase(t, 'postgres');
  const heard: string[] = [];
  const names = ['one', 'two', 'three'];
  for (const self of names) {
    const runner = {
      wake(onNothing?: () => void) {
        heard.push(`${self} work`);
        if (options.isIdle) onNothing?.();
      },
      cancelRequested: (taskId: string) => heard.push(`${self} ${taskId}`),
      calledBack: (taskId: string, engine: string) => heard.push(`${self} ${taskId} ${engine}`) > 0,
    };
    const another = await openAnother();
    const queues = new Map([['children', { wake: () => heard.push(`${self} children`) }] as const]);
    relayToRunners(another, () => ({ runner, queues }), { self, isWorker: true, workers: () => names });
    await listening(another);
  }
  const workers = () => (options.areKnown ? names : null);
  const api = relayToRunners(database, () => NO_WORKERS, { self: 'api', isWorker: false, workers });
  return { heard, api, database };
}

test('new work wakes one worker, which passes it on once if it can claim nothing', async (t) => {
  const { heard, api } = await openWorkers(t, { isIdle: false, areKnown: true });
  api.wake();
  await until(
    () => heard.length,
    (count) => count > 0,
  );
  api.roomLeft();
  await until(
    () => heard.length,
    (count) => count > 1,
  );
  assert.deepEqual(
    heard.map((each) => each.slice(each.indexOf(' '))),
    [' work', ' work'],
  );
  const busy = await openWorkers(t, { isIdle: true, areKnown: true });
  busy.api.wake();
  await until(
    () => busy.heard.length,
    (count) => count === 2,
  );
  assert.equal(new Set(busy.heard).size, 2);
});

test('work of a kind wakes who does it in this process, or else one process that does', async (t) => {
  const { heard, api, database } = await openWorkers(t, { isIdle: false, areKnown: true });
  api.wakeWork('children');
  await until(
    () => heard.length,
    (count) => count > 0,
  );
  assert.match(heard.join(), /^(?:one|two|three) children$/);
  const queues = new Map([['children', { wake: () => heard.push('here') }] as const]);
  const here = relayToRunners(database, () => ({ runner: null, queues }), {
    self: 'here',
    isWorker: true,
    workers: () => ['here'],
  });
  here.wakeWork('children');
  assert.equal(heard.at(-1), 'here');
});

test('a cancel reaches the process that has the lease, and all workers if that is unknown, as does work for unknown workers', async (t) => {
  const { heard, api } = await openWorkers(t, { isIdle: true, areKnown: false });
  api.cancelRequested('img_1', 'two');
  await until(
    () => heard.length,
    (count) => count > 0,
  );
  api.cancelRequested('img_2', null);
  await until(
    () => heard.length,
    (count) => count > 3,
  );
  assert.deepEqual(heard.toSorted(), ['one img_2', 'three img_2', 'two img_1', 'two img_2']);
  heard.length = 0;
  api.wake();
  await until(
    () => heard.length,
    (count) => count > 2,
  );
  assert.deepEqual(heard.toSorted(), ['one work', 'three work', 'two work']);
});

test('a call of an upstream reaches the process that has the lease', async (t) => {
  const { heard, api } = await openWorkers(t, { isIdle: true, areKnown: true });
  api.announceCall({ worker: 'two', taskId: 'img_1', engine: 'fal@upk_1' });
  await until(
    () => heard.length,
    (count) => count > 0,
  );
  assert.deepEqual(heard, ['two img_1 fal@upk_1']);
});
