import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EngineError, type EngineErrorClass } from '@darkroom-service/engines';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/helpers/databases.ts';
import { startTestRefresh } from '../../test/helpers/start-refresh.ts';
import { openTestServices } from '../../test/helpers/task-services.ts';
import type { Database } from '../database/database.ts';
import { takeTrial } from './stored-valves.ts';
import { pause, resume } from './switched-off.ts';
import { type Cause, EVERY_CAUSE } from './valve.ts';
import type { Valves } from './valves.ts';
import { SharedValves } from './valves.ts';

/** Two processes on one database. */
async function openTwo(t: TestContext, kind: Database['kind']) {
  const { services, clock, openAnother } = await openTestServices(t, kind);
  const other = await openAnother();
  const changes: string[] = [];
  const open = async (database: Database) => {
    const valves = await SharedValves.open({
      database,
      clock,
      onChange: (engine, shut) => changes.push(`${engine} ${shut === null ? 'free' : `shut ${shut.times}`}`),
      onError: () => {},
      startRefresh: startTestRefresh,
    });
    t.after(() => valves.stop());
    return valves;
  };
  return { services, other, clock, changes, open, one: await open(services.database), two: await open(other.database) };
}

const ALPHA = { engine: 'alpha', model: null };
const fail = (valves: Valves, fault: EngineErrorClass, task = 'img_1') =>
  valves.failed('alpha', 'start', task, new EngineError(fault, `no ${fault}`, { took: 'no' }));

forEachDatabase((kind) => {
  test('a valve shut by one process is shut in all and after a restart, and only one process tests it', async (t) => {
    const { services, other, clock, changes, open, one, two } = await openTwo(t, kind);
    for (const task of ['img_1', 'img_1', 'img_2', 'img_2']) assert.equal(await fail(one, 'busy', task), false);
    assert.equal(one.mayStart(ALPHA), true);
    assert.equal(await fail(one, 'busy', 'img_3'), false, 'all at once');
    clock.advance(1_000);
    assert.equal(await fail(one, 'busy', 'img_3'), true);
    await two.refresh();
    const three = await open(services.database);
    for (const valves of [one, two, three]) {
      assert.deepEqual([valves.stateOf('alpha'), valves.mayStart(ALPHA)], ['shut', false]);
      assert.equal(valves.of('alpha')?.message, 'no busy');
      assert.equal(valves.stateOf('beta'), 'free');
    }
    clock.advance(15_000);
    const shut = two.of('alpha');
    assert.ok(shut);
    assert.deepEqual([two.stateOf('alpha'), two.mayStart(ALPHA)], ['on_trial', false]);
    const turns = await Promise.all([services, other].map(({ database }) => takeTrial(database, shut, clock.now())));
    assert.deepEqual(turns.sort(), [false, true]);
    two.giveTrial('alpha');
    assert.deepEqual([two.mayStart(ALPHA), two.mayStart(ALPHA)], [true, false], 'one order');

    // Both meet the same outage: it counts once.
    await fail(two, 'busy');
    await fail(one, 'busy');
    await Promise.all([one.refresh(), two.refresh()]);
    assert.deepEqual([one.of('alpha')?.times, two.of('alpha')?.times], [2, 2]);

    clock.advance(30_000);
    await two.succeeded('alpha', 'start');
    await Promise.all([one.refresh(), three.refresh()]);
    for (const valves of [one, two, three]) assert.equal(valves.stateOf('alpha'), 'free');
    assert.deepEqual(changes, ['alpha shut 1', 'alpha shut 2', 'alpha free']);
  });

  test('a process that does not know of an outage yet does not shorten it', async (t) => {
    const { clock, one, two } = await openTwo(t, kind);
    await fail(one, 'billing');
    for (const task of ['a', 'b', 'c', 'd']) await fail(two, 'busy', task);
    clock.advance(1_000);
    assert.equal(await fail(two, 'busy', 'e'), false);
    assert.deepEqual([two.of('alpha')?.fault, two.of('alpha')?.times], ['billing', 1]);
  });

  test('each cause shuts and opens its own valve, whatever else keeps orders back, in all processes', async (t) => {
    const { services, clock, one, two } = await openTwo(t, kind);
    const { database, createId } = services;
    const by = () => ({ actor: 'test', now: clock.now(), createId });
    const off = { kind: 'engine', name: 'alpha' } as const;
    /** Until when each cause stands. */
    const until = new Map<Cause | 'switched_off', number>();
    const stands = (cause: Cause | 'switched_off') => (until.get(cause) ?? 0) > clock.now();
    const later = (cause: Cause, ms: number) => until.set(cause, Math.max(until.get(cause) ?? 0, clock.now() + ms));
    const asked = new EngineError('rate_limited', 'slow down', { took: 'no', retryAfterMs: 60_000 });
    const events: Readonly<Record<string, (valves: Valves) => unknown>> = {
      async hangs(valves) {
        await valves.hangs('alpha', 'no answer');
        until.set('outage', Infinity);
      },
      async answers(valves) {
        await valves.succeeded('alpha', 'start', true);
        until.delete('outage');
      },
      async 'asks for a pause'(valves) {
        await valves.failed('alpha', 'start', 'img_1', asked);
        if (!stands('outage')) later('pause', 60_000);
      },
      async 'gets too many'(valves) {
        await valves.pause('alpha', 'too many', 30_000);
        later('rate', 30_000);
      },
      async 'costs too much'(valves) {
        await valves.limitReached('alpha', 'too dear', clock.now() + 86_400_000);
        until.set('spend_limit', Infinity);
      },
      async 'costs little again'(valves) {
        await valves.back('alpha', ['spend_limit']);
        until.delete('spend_limit');
      },
      async 'is switched off'() {
        await pause(database, by(), { ...off, reason: 'no more' });
        until.set('switched_off', Infinity);
      },
      async 'is switched on'() {
        await resume(database, by(), off);
        until.delete('switched_off');
      },
      async 'is opened by hand'(valves) {
        await valves.open('alpha', by());
        for (const cause of EVERY_CAUSE) until.delete(cause);
      },
      waits: () => clock.advance(45_000),
    };
    const history = fc.array(fc.tuple(fc.constantFrom(...Object.keys(events)), fc.nat(1)), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(history, async (happens) => {
        for (const [event, process] of [['is opened by hand', 0], ['is switched on', 0], ...happens] as const) {
          await events[event]?.([one, two][process]!);
          await Promise.all([one.refresh(), two.refresh()]);
          for (const valves of [one, two]) {
            const shut = EVERY_CAUSE.filter((cause) => valves.of('alpha', cause) !== null);
            assert.deepEqual(shut, EVERY_CAUSE.filter(stands), event);
            assert.equal(valves.isPaused('engine', 'alpha'), stands('switched_off'));
            assert.equal(valves.isPaused('model', 'alpha'), false);
            assert.equal(valves.mayStart(ALPHA), shut.length === 0);
          }
        }
      }),
      { numRuns: kind === 'sqlite' ? 60 : 15 },
    );
  });

  test('neither repeated failures of one order nor faults far apart shut the valve', async (t) => {
    const { clock, one } = await openTwo(t, kind);
    for (let count = 0; count < 20; count++) assert.equal(await fail(one, 'upstream', 'img_1'), false);
    clock.advance(600_000);
    for (const task of ['a', 'b', 'c', 'd']) assert.equal(await fail(one, 'upstream', task), false);
    await one.succeeded('alpha', 'start');
    for (const task of ['a', 'b', 'c', 'd']) assert.equal(await fail(one, 'upstream', task), false);
    clock.advance(1_000);
    assert.equal(await fail(one, 'upstream', 'e'), true);
  });
});
