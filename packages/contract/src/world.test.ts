import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdFactory } from './ids.ts';
import { nextTurn, sleep, useWorld, world } from './world.ts';

test('a pause ends with null, at once and with the reason when its signal aborts, and leaves no listener', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { signal } = new AbortController();
  const added = t.mock.method(signal, 'addEventListener');
  const removed = t.mock.method(signal, 'removeEventListener');
  const pause = sleep(5_000, { signal });
  t.mock.timers.tick(5_000);
  assert.equal(await pause, null);
  assert.equal(added.mock.callCount(), removed.mock.callCount());

  const stopping = new AbortController();
  const stopped = sleep(5_000, { signal: stopping.signal });
  const reason = new Error('stopping');
  stopping.abort(reason);
  const isAbort = { name: 'AbortError', code: 'ABORT_ERR', cause: reason };
  await assert.rejects(stopped, isAbort);
  await assert.rejects(sleep(5_000, { signal: stopping.signal }), isAbort);
});

test('a pause that keeps no process alive lets go of its timer', async (t) => {
  const started = t.mock.method(world, 'setTimeout');
  const stopping = new AbortController();
  const pause = sleep(60_000, { ref: false, signal: stopping.signal });
  assert.equal(started.mock.calls[0]?.result?.hasRef(), false);
  stopping.abort();
  await assert.rejects(pause);
});

test('another world gives its own time and randomness to everything that asks afterwards', async (t) => {
  const before = useWorld({ ...world, now: () => 1, randomBytes: (length) => new Uint8Array(length).fill(7) });
  t.after(() => useWorld(before));
  const create = () => createIdFactory(() => world.now())('img');
  assert.equal(create(), create());
  await nextTurn();
  useWorld(before);
  assert.notEqual(create(), create());
});
