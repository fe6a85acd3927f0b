import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScriptedEngine } from '../../test/helpers/scripted-engine.ts';
import { ManualClock } from '../../test/helpers/task-services.ts';
import { createCallWatch } from './call-watch.ts';

const engine = { ...createScriptedEngine({ name: 'slow' }), callTimeoutMs: 600_000 };

test('three calls that are open four times as long as usual are reported as hanging, once each', () => {
  const clock = new ManualClock();
  const watch = createCallWatch(clock, () => 0);
  for (let count = 0; count < 10; count++) {
    const end = watch.begin(engine, 'slow/one');
    clock.advance(10_000);
    end('took it');
  }
  const ends = [1, 2].map(() => watch.begin(engine, 'slow/one'));
  clock.advance(41_000);
  assert.equal(watch.hanging('slow', false), null, 'two may be chance');
  ends.push(watch.begin(engine, 'slow/one'));
  clock.advance(39_000);
  assert.equal(watch.hanging('slow', false), null);
  clock.advance(2_000);
  assert.deepEqual(watch.hanging('slow', false), { calls: 3, longestMs: 82_000, limitMs: 40_000 });
  assert.equal(watch.hanging('slow', false), null);
  assert.equal(watch.hanging('other', false), null);
  for (const end of ends) end('failed');
});

test('an upstream does not hang if a later call succeeded or the usual duration is unknown', () => {
  const clock = new ManualClock();
  const watch = createCallWatch(clock, () => 0);
  for (let count = 0; count < 3; count++) watch.begin(engine, 'slow/new');
  clock.advance(299_000);
  assert.equal(watch.hanging('slow', false), null, 'half its time-out, where nothing is known');
  clock.advance(2_000);
  const end = watch.begin(engine, 'slow/new');
  clock.advance(1_000);
  end('took it');
  assert.equal(watch.hanging('slow', false), null, 'a later one came through');
});

test('while one order tests an upstream, one hanging call is enough', () => {
  const clock = new ManualClock();
  const watch = createCallWatch(clock, () => 0);
  watch.begin(engine, 'slow/one');
  clock.advance(301_000);
  assert.equal(watch.hanging('slow', false), null);
  assert.equal(watch.hanging('slow', true)?.calls, 1);
});

test('the time in which the own process stood still does not count', () => {
  const clock = new ManualClock();
  let stalledMs = 0;
  const watch = createCallWatch(clock, () => stalledMs);
  for (let count = 0; count < 3; count++) watch.begin(engine, 'slow/one');
  clock.advance(310_000);
  stalledMs += 20_000;
  assert.equal(watch.hanging('slow', false), null);
  clock.advance(11_000);
  assert.deepEqual(watch.hanging('slow', false), { calls: 3, longestMs: 301_000, limitMs: 300_000 });
});
