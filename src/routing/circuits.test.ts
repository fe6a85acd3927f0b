import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EngineError, type EngineErrorClass } from '@darkroom-service/engines';
import { forEachDatabase } from '../../test/databases.ts';
import { startTestRefresh } from '../../test/start-refresh.ts';
import { openTestServices } from '../../test/task-services.ts';
import type { Database } from '../database/database.ts';
import { type Circuits, openCircuits } from './circuits.ts';
import { takeTrial } from './stored-circuit.ts';

/** Two processes on one database. */
async function openTwo(t: TestContext, kind: Database['kind']) {
  const { services, clock, openAnother } = await openTestServices(t, kind);
  const other = await openAnother();
  const changes: string[] = [];
  const open = async (database: Database) => {
    const circuits = await openCircuits({
      database,
      clock,
      onChange: (engine, opened) => changes.push(`${engine} ${opened === null ? 'closed' : `open ${opened.openings}`}`),
      onError: () => {},
      startRefresh: startTestRefresh,
    });
    t.after(() => circuits.stop());
    return circuits;
  };
  return { services, other, clock, changes, open, one: await open(services.database), two: await open(other.database) };
}

const ALPHA = { engine: 'alpha', model: null };
const fail = (circuits: Circuits, fault: EngineErrorClass, task = 'img_1') =>
  circuits.failed('alpha', 'start', task, new EngineError(fault, `no ${fault}`, { took: 'no' }));

forEachDatabase((kind) => {
  test('a circuit opened by one process is open in all and after a restart, and only one process tests it', async (t) => {
    const { services, other, clock, changes, open, one, two } = await openTwo(t, kind);
    for (const task of ['img_1', 'img_1', 'img_2', 'img_2']) assert.equal(await fail(one, 'busy', task), false);
    assert.equal(one.mayStart(ALPHA), true);
    assert.equal(await fail(one, 'busy', 'img_3'), false, 'all at once');
    clock.advance(1_000);
    assert.equal(await fail(one, 'busy', 'img_3'), true);
    await two.refresh();
    const three = await open(services.database);
    for (const circuits of [one, two, three]) {
      assert.deepEqual([circuits.stateOf('alpha'), circuits.mayStart(ALPHA)], ['open', false]);
      assert.equal(circuits.of('alpha')?.message, 'no busy');
      assert.equal(circuits.stateOf('beta'), 'closed');
    }
    clock.advance(15_000);
    const opened = two.of('alpha');
    assert.ok(opened);
    assert.deepEqual([two.stateOf('alpha'), two.mayStart(ALPHA)], ['half_open', false]);
    const turns = await Promise.all([services, other].map(({ database }) => takeTrial(database, opened, clock.now())));
    assert.deepEqual(turns.sort(), [false, true]);
    two.giveTrial('alpha');
    assert.deepEqual([two.mayStart(ALPHA), two.mayStart(ALPHA)], [true, false], 'one order');

    // Both meet the same outage: it counts once.
    await fail(two, 'busy');
    await fail(one, 'busy');
    await Promise.all([one.refresh(), two.refresh()]);
    assert.deepEqual([one.of('alpha')?.openings, two.of('alpha')?.openings], [2, 2]);

    clock.advance(30_000);
    await two.succeeded('alpha', 'start');
    await Promise.all([one.refresh(), three.refresh()]);
    for (const circuits of [one, two, three]) assert.equal(circuits.stateOf('alpha'), 'closed');
    assert.deepEqual(changes, ['alpha open 1', 'alpha open 2', 'alpha closed']);
  });

  test('a process that does not know of an outage yet does not shorten it', async (t) => {
    const { clock, one, two } = await openTwo(t, kind);
    await fail(one, 'billing');
    for (const task of ['a', 'b', 'c', 'd']) await fail(two, 'busy', task);
    clock.advance(1_000);
    assert.equal(await fail(two, 'busy', 'e'), false);
    assert.deepEqual([two.of('alpha')?.fault, two.of('alpha')?.openings], ['billing', 1]);
  });

  test('neither repeated failures of one order nor faults far apart open the circuit', async (t) => {
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
