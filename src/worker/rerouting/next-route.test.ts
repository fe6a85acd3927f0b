import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineErrorClass } from '@darkroom-service/engines';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { openStage, PATIENCE_MS, type Stage, WAIT_MS, type Whim } from '../../../test/helpers/route-stage.ts';
import { placeOrder, rowsOf, takerOf, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import type { TaskRow } from '../../record/task.ts';
import { routeOf } from '../../record/task-json.ts';

const NAMES = ['alpha', 'beta', 'gamma'] as const;
const ENGINES = NAMES.map((name) => ({ name }));
const whim: fc.Arbitrary<Whim> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Whim>('takes it') },
  {
    weight: 6,
    arbitrary: fc.record({
      fault: fc.constantFrom<EngineErrorClass>(
        ...([
          'auth',
          'billing',
          'rate_limited',
          'rate_limited',
          'busy',
          'busy',
          'busy',
          'upstream',
          'timeout',
        ] as const),
        ...(['invalid_input', 'content_policy'] as const),
      ),
      took: fc.constantFrom('no', 'no', 'no', 'no', 'unknown', 'yes'),
      retryAfterMs: fc.constantFrom(null, null, 500, 2_000, 45_000),
      scope: fc.constantFrom('engine', 'engine', 'engine', 'route'),
    }),
  },
);
/** What each upstream does in turn; the last goes on for ever. */
const moods = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.array(whim, { minLength: 1, maxLength: 12 })])) as Record<
    (typeof NAMES)[number],
    fc.Arbitrary<Whim[]>
  >,
);

forEachDatabase((kind) => {
  test('whatever upstreams throw, at most one has the order, it ends once, and it uses no route twice', async (t) => {
    const stage = await openStage(t, kind, ENGINES);
    const pauses = fc.array(fc.constantFrom(100, 3_000, 31_000, 600_000), { minLength: 5, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(moods, fc.integer({ min: 1, max: 6 }), pauses, async (whims, orders, steps) => {
        await closeAll(stage);
        stage.behave(whims);
        const key = await insertKey(stage.services, { concurrency: 4 });
        for (let count = 0; count < orders; count++) {
          await placeOrder(stage, key).catch(refusedForNow);
        }
        for (const step of steps) {
          stage.clock.advance(step);
          await stage.round();
        }
        const rows = await untilFinal(stage, key.id);
        for (const row of rows) await assertPromises(stage, row);
      }),
      { numRuns: kind === 'sqlite' ? 20 : 6 },
    );
  });

  test('an order whose engine is not configured any more goes on to one that is', async (t) => {
    const stage = await openStage(t, kind, ENGINES);
    const key = await insertKey(stage.services);
    const waiting = await placeOrder(stage, key);
    stage.restart(['beta', 'gamma']);
    const [row] = await untilFinal(stage, key.id);
    assert.ok(row);
    assert.deepEqual([takerOf(row), row.queue], ['beta', 'beta:live']);
    assert.deepEqual(
      startsOf(stage, waiting).map(({ engine }) => engine),
      ['beta'],
    );
    const { tried } = JSON.parse(row.route_json);
    const { left_at: leftAt, ...left } = tried[0];
    assert.deepEqual(left, { engine: 'alpha', model: null, reason: 'alpha is not configured' });
    assert.ok(leftAt <= stage.clock.now() && tried.length === 1);
  });

  test('so do those that come to its queue later, such as from behind a slot of their key', async (t) => {
    const stage = await openStage(t, kind, ENGINES);
    const key = await insertKey(stage.services, { concurrency: 1 });
    for (let count = 0; count < 3; count++) await placeOrder(stage, key);
    stage.restart(['beta', 'gamma']);
    const rows = await untilFinal(stage, key.id);
    assert.deepEqual(
      rows.map((row) => [takerOf(row), row.queue]),
      Array.from({ length: 3 }, () => ['beta', 'beta:live']),
    );
  });

  test("a follow-up that needs an engine's own data goes to no other engine", async (t) => {
    const stage = await openStage(t, kind, ENGINES);
    const { database } = stage.services;
    const key = await insertKey(stage.services);
    stage.behave({ alpha: [{ fault: 'billing', took: 'no', retryAfterMs: null }] });
    for (const [keep, engines, taker] of [
      ['{"scene":1}', ['alpha'], null],
      [null, ['alpha', 'beta'], 'beta'],
    ] as const) {
      const parent = await placeOrder(stage, key);
      const child = await placeOrder(stage, key);
      await database.write('test', async (trx) => {
        await trx.run(
          trx.builder
            .updateTable('tasks')
            .set({ keep_json: keep, step: 'final', next_at: null })
            .where('id', '=', parent),
        );
        await trx.run(
          trx.builder
            .updateTable('tasks')
            .set({ parent_task_id: parent } as never)
            .where('id', '=', child),
        );
      });
      for (let rounds = 0; rounds < 3; rounds++) {
        await stage.round();
        stage.clock.advance(1_000);
      }
      const row = (await rowsOf(stage, key.id)).find(({ id }) => id === child);
      assert.equal(row?.status, 'failed');
      assert.deepEqual([startsOf(stage, child).map(({ engine }) => engine), takerOf(row)], [engines, taker]);
      await closeAll(stage);
    }
  });
});

/** Refusals that pass, which an upstream gives in turn and then for ever. */
const refusals = fc.array(
  fc.record({
    fault: fc.constantFrom<EngineErrorClass>('rate_limited', 'busy', 'upstream', 'timeout'),
    took: fc.constant('no' as const),
    retryAfterMs: fc.constantFrom(null, 500, 2_000, 10_000, 29_000, 45_000, 600_000),
  }),
  { minLength: 1, maxLength: 6 },
);

test('a refused order reaches its next route within the documented time', async (t) => {
  const stage = await openStage(t, 'sqlite', ENGINES);
  await fc.assert(
    fc.asyncProperty(refusals, fc.integer({ min: 1, max: 4 }), async (alpha, orders) => {
      await closeAll(stage);
      stage.behave({ alpha, beta: ['takes it'] });
      const key = await insertKey(stage.services);
      for (let count = 0; count < orders; count++) await placeOrder(stage, key);
      const rows = await untilFinal(stage, key.id, 1_000);
      for (const row of rows) {
        const calls = startsOf(stage, row.id);
        assert.equal(takerOf(row), 'beta');
        const [first] = calls.filter(({ engine }) => engine === 'alpha');
        const left = calls.find(({ engine }) => engine === 'beta');
        if (first === undefined || left === undefined) continue;
        assert.ok(left.at - first.at <= PATIENCE_MS + 3_000, `${left.at - first.at} ms at alpha`);
      }
    }),
    { numRuns: 8 },
  );
});

test('a refused order without another route fails within the documented time, is released, and holds no slot meanwhile', async (t) => {
  const stage = await openStage(t, 'sqlite', ENGINES);
  stage.restart(['alpha']);
  await fc.assert(
    fc.asyncProperty(refusals, fc.integer({ min: 1, max: 4 }), async (alpha, orders) => {
      await closeAll(stage);
      stage.behave({ alpha });
      const key = await insertKey(stage.services, { concurrency: 1 });
      for (let count = 0; count < orders; count++) await placeOrder(stage, key);
      const rows = await untilFinal(stage, key.id, 10_000);
      for (const row of rows) {
        const first = startsOf(stage, row.id)[0];
        assert.ok(first, 'it was offered before its deadline');
        const endedAfterMs = (row.completed_at ?? 0) - first.at;
        assert.ok(endedAfterMs <= WAIT_MS + 80_000, `${endedAfterMs} ms after it was first refused`);
        await assertPromises(stage, row);
      }
    }),
    { numRuns: 6 },
  );
});

/** Upstreams that want another key or money take no new orders. */
function refusedForNow(error: unknown): void {
  assert.equal((error as { code?: string }).code, 'model_unavailable');
}

async function closeAll({ valves, services }: Stage): Promise<void> {
  const by = { actor: 'test', now: services.clock.now(), createId: services.createId };
  for (const name of NAMES) await valves.open(name, by);
}

async function assertPromises(stage: Stage, row: TaskRow): Promise<void> {
  const calls = startsOf(stage, row.id);
  const had = calls.findIndex(({ whim }) => whim === 'takes it' || whim.took !== 'no');
  assert.ok(had === -1 || had === calls.length - 1, `offered again: ${JSON.stringify(calls)}`);
  const visits = calls.map(({ engine }) => engine).filter((engine, index, all) => engine !== all[index - 1]);
  assert.equal(new Set(visits).size, visits.length, `visited again: ${visits}`);
  const { read } = stage.services.database;
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll().where('task_id', '=', row.id));
  assert.deepEqual(
    entries.map(({ kind, amount }) => [kind, amount]),
    [
      ['hold', -row.price],
      ['release', row.price],
    ],
  );
  const last = calls.at(-1);
  const fault = last === undefined || last.whim === 'takes it' ? null : last.whim;
  assert.equal(row.status, 'failed');
  const taker = takerOf(row);
  if (taker !== null) return assert.deepEqual([last?.engine, last?.whim], [taker, 'takes it']);
  const { code } = JSON.parse(row.error_json ?? '{}');
  if (fault !== null && fault.took !== 'no') return assert.equal(code, 'outcome_unknown');
  if (/^(timeout|upstream_)/.test(code) && (row.completed_at ?? 0) >= row.deadline_at) return;
  assert.ok(fault, `it failed as ${code} without having been refused`);
  // It may have been held there by a shut valve before it was refused.
  const cameAt = calls.findLast(({ engine }) => engine !== last?.engine)?.at ?? row.created_at;
  const heldSince = routeOf(row).refused_at ?? null;
  if (heldSince !== null && (row.completed_at ?? 0) - heldSince >= WAIT_MS)
    return assert.ok(heldSince >= cameAt, 'it waited at this route, not at an earlier one');
  if (fault.scope === 'route') return;
  if (code === 'upstream_auth' || code === 'upstream_billing') return assert.equal(code, `upstream_${fault.fault}`);
  if (code === 'invalid_input' || code === 'content_policy') return assert.equal(code, fault.fault);
  assert.ok(calls.filter(({ engine }) => engine === last?.engine).length >= 8, `gave up early as ${code}`);
}

function startsOf(stage: Stage, taskId: string) {
  return (stage.calls.get(taskId) ?? []).filter(({ call }) => call === 'start');
}
