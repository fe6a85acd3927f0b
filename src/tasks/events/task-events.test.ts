import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../../database/database.ts';
import { TaskEvents } from './task-events.ts';

/** A database of revisions that counts how often it is asked. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const revisions = new Map([['img_1', 1]]);
  const state = { counter: 0, reads: 0, away: false };
  const builder = { selectFrom: () => builder, select: () => builder, where: () => builder };
  const relay = {
    kind: 'sqlite',
    announce: () => {},
    listenTo: () => () => {},
    onRemoteChange: () => () => {},
    changeCounter: () => state.counter,
    read: {
      builder,
      all: async () => {
        state.reads++;
        if (state.away) throw new Error('the database is away');
        return [...revisions].map(([id, revision]) => ({ id, revision }));
      },
    },
  } as unknown as Database;
  const events = new TaskEvents(relay);
  /** Advances the clock and waits for the work that this triggers. */
  const seconds = async (count: number) => {
    for (let second = 0; second < count; second++) {
      t.mock.timers.tick(1_000);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
  };
  return { events, state, revisions, seconds };
}

const { signal } = new AbortController();

test('a hundred watches of an unchanged task read the database once, and once more after an unrelated commit', async (t) => {
  const { events, state, seconds } = open(t);
  const watches = Array.from({ length: 100 }, () => events.watch('img_1'));
  for (const watch of watches) void watch.next(1, { signal });
  await seconds(60);
  assert.equal(state.reads, 1);
  state.counter++;
  await seconds(60);
  assert.equal(state.reads, 2);
  for (const watch of watches) watch.close();
  state.counter++;
  await seconds(60);
  assert.equal(state.reads, 2);
});

test('a change by another process is found by the next poll, also when it came between the read and the waiting', async (t) => {
  const { events, state, revisions, seconds } = open(t);
  const watch = events.watch('img_1');
  let woken = 0;
  void watch.next(1, { signal }).then(() => woken++);
  await seconds(3);
  assert.equal(woken, 0);
  revisions.set('img_1', 2);
  state.counter++;
  await seconds(1);
  assert.equal(woken, 1);
  revisions.set('img_1', 3);
  state.counter++;
  await seconds(1);
  void watch.next(2, { signal }).then(() => woken++);
  await seconds(1);
  assert.equal(woken, 2);
});

test('a change by this process wakes at once, also one that came while the task was read', async (t) => {
  const { events } = open(t);
  const watch = events.watch('img_1');
  const changed = watch.next(1, { signal });
  events.changed('img_1');
  await changed;
  events.changed('img_1');
  await watch.next(1, { signal });
  const leaving = new AbortController();
  const last = watch.next(1, { signal: leaving.signal });
  leaving.abort();
  await last;
});

test('watching goes on after a database outage', async (t) => {
  const { events, state, revisions, seconds } = open(t);
  let woken = 0;
  void events
    .watch('img_1')
    .next(1, { signal })
    .then(() => woken++);
  state.away = true;
  revisions.set('img_1', 2);
  await seconds(2);
  assert.equal(woken, 0);
  state.away = false;
  await seconds(1);
  assert.equal(woken, 1);
});
