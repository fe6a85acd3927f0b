import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../test/databases.ts';
import { insertKey, type ManualClock, openTestDesk } from '../../test/desk.ts';
import type { OrderingKey } from '../accounts/api-key.ts';
import { type Engine, EngineError, type EngineErrorClass } from '../engines/engine.ts';
import { advanceTask } from './advance-task.ts';
import { startCircuitWatch } from './circuit-watch.ts';
import { openCircuits } from './circuits.ts';
import { claimTasks } from './claim-tasks.ts';
import { createTask } from './create-task.ts';
import type { Desk } from './desk.ts';
import { LostClaim } from './move-task.ts';
import { openQueues } from './open-queues.ts';
import { createRouting } from './routing.ts';
import { isFinal, type TaskRow } from './task.ts';
import { createUnsentOrders } from './unsent-orders.ts';
import type { WorkerDesk } from './worker-desk.ts';

/** What an upstream does with an order: it takes it, or fails in some way. */
type Whim =
  | 'takes it'
  | {
      readonly fault: EngineErrorClass;
      readonly took: 'no' | 'yes' | 'unknown';
      readonly retryAfterMs: number | null;
    };

const NAMES = ['alpha', 'beta', 'gamma'] as const;
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
      retryAfterMs: fc.constantFrom(null, null, 500, 45_000),
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

interface Call {
  readonly engine: string;
  readonly whim: Whim;
}

/** Three paid upstreams over one desk, worked by hand: time passes only between rounds. */
async function openStage(t: TestContext, kind: 'sqlite' | 'postgres') {
  const { desk: bare, clock, database } = await openTestDesk(t, kind);
  const calls = new Map<string, Call[]>();
  const inFlight = new Map<string, Set<string>>();
  let whims: Readonly<Record<string, readonly Whim[]>> = {};
  let turns = new Map<string, number>();

  const engines = new Map(NAMES.map((name) => [name as string, createEngine(name)]));
  function createEngine(name: string): Engine {
    return {
      name,
      concurrency: 2,
      async start({ taskId }) {
        const busy = inFlight.get(name) ?? new Set();
        inFlight.set(name, busy.add(taskId));
        assert.ok(busy.size <= 2, `${busy.size} orders at ${name}, which makes 2`);
        const turn = turns.get(name) ?? 0;
        turns.set(name, turn + 1);
        const now = whims[name]?.[Math.min(turn, whims[name].length - 1)] ?? 'takes it';
        calls.set(taskId, [...(calls.get(taskId) ?? []), { engine: name, whim: now }]);
        await Promise.resolve();
        if (now === 'takes it') return { operation: { taskId }, checkAfterMs: 1 };
        busy.delete(taskId);
        const { fault, took, retryAfterMs } = now;
        throw new EngineError(fault, `${name} says ${fault}`, {
          took,
          ...(retryAfterMs === null ? {} : { retryAfterMs }),
        });
      },
      async check(_operation, { taskId }) {
        inFlight.get(name)?.delete(taskId);
        return { status: 'canceled' };
      },
    };
  }

  const circuits = await openCircuits({ database, clock, onChange: () => {}, onError: () => {} });
  t.after(() => circuits.stop());
  const switches = { isPaused: () => false, refresh: async () => {}, close: () => {} };
  const catalog = bare.catalog();
  const sketch = catalog.find('sketch');
  assert.ok(sketch);
  const model = { ...sketch, routes: NAMES.map((engine) => ({ engine })) };
  const desk: Desk = {
    ...bare,
    settings: { ...bare.settings, hardDeadlineMs: 3_600_000 },
    catalog: () => ({ ...catalog, models: [model], find: () => model }),
    routing: createRouting(engines, switches, circuits, { live: null, now: () => clock.now() }),
  };
  const work: WorkerDesk = {
    desk,
    circuits,
    worker: 'test',
    engines,
    moderation: null,
    fetchOutput: () => assert.fail('nothing is fetched'),
    lease: { ms: 15_000, renewEveryMs: 5_000 },
    unsent: createUnsentOrders(),
  };
  const watch = startCircuitWatch(work, () => {});
  t.after(() => watch.stop());

  return {
    desk,
    clock,
    calls,
    engines,
    circuits,
    behave(next: typeof whims) {
      whims = next;
      turns = new Map();
    },
    /** What a worker does in one look: circuits, claims, and as far as each task goes. */
    async round(): Promise<void> {
      await watch.look();
      const queues = openQueues(engines, switches, circuits);
      const claimed = await database.write('claim', (trx) => claimTasks(trx, { worker: 'test', queues, limit: 20 }));
      const held = { signal: new AbortController().signal, onCancel: undefined, setResumable: () => {} };
      const ends = await Promise.allSettled(claimed.map((task) => advanceTask(work, task, { ...held })));
      for (const end of ends) if (end.status === 'rejected' && !(end.reason instanceof LostClaim)) throw end.reason;
    },
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

forEachDatabase((kind) => {
  test('whatever upstreams throw, an order is had by one at most, ends once, and goes nowhere twice', async (t) => {
    const stage = await openStage(t, kind);
    const pauses = fc.array(fc.constantFrom(100, 3_000, 31_000, 600_000), { minLength: 5, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(moods, fc.integer({ min: 1, max: 6 }), pauses, async (whims, orders, steps) => {
        await closeAll(stage);
        stage.behave(whims);
        const key = await insertKey(stage.desk, { concurrency: 4 });
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
    const stage = await openStage(t, kind);
    const key = await insertKey(stage.desk);
    const waiting = await placeOrder(stage, key);
    stage.engines.delete('alpha');
    const [row] = await untilFinal(stage, key.id);
    assert.deepEqual([row?.status, row?.queue], ['canceled', 'beta:live']);
    assert.deepEqual(
      stage.calls.get(waiting)?.map(({ engine }) => engine),
      ['beta'],
    );
    const { tried } = JSON.parse(row?.route_json ?? '{}');
    assert.deepEqual(tried, [{ engine: 'alpha', model: null, reason: 'alpha is not configured' }]);
  });

  test('a follow-up on what an engine kept in its own words goes to no other', async (t) => {
    const stage = await openStage(t, kind);
    const { database } = stage.desk;
    const key = await insertKey(stage.desk);
    stage.behave({ alpha: [{ fault: 'billing', took: 'no', retryAfterMs: null }] });
    for (const [keep, engines, status] of [
      ['{"scene":1}', ['alpha'], 'failed'],
      [null, ['alpha', 'beta'], 'canceled'],
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
      assert.deepEqual([stage.calls.get(child)?.map(({ engine }) => engine), row?.status], [engines, status]);
      await closeAll(stage);
    }
  });
});

async function placeOrder({ desk }: Stage, key: OrderingKey): Promise<string> {
  const body = { model_id: 'sketch', prompt: 'a fox' };
  const order = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
  return (await createTask(desk, key, order)).task.task_id;
}

/** Upstreams that want another key or money take no new orders. */
function refusedForNow(error: unknown): void {
  assert.equal((error as { code?: string }).code, 'model_unavailable');
}

async function closeAll({ circuits, desk }: Stage): Promise<void> {
  const by = { actor: 'test', now: desk.clock.now(), createId: desk.createId };
  for (const name of NAMES) await circuits.close(name, by);
}

async function untilFinal(stage: Stage, keyId: string): Promise<TaskRow[]> {
  for (let rounds = 0; ; rounds++) {
    const rows = await rowsOf(stage, keyId);
    if (rows.every((row) => isFinal(row.status))) return rows;
    assert.ok(rounds < 200, `not final: ${JSON.stringify(rows.map(({ step, queue }) => ({ step, queue })))}`);
    (stage.clock as ManualClock).advance(240_000);
    await stage.round();
  }
}

async function rowsOf({ desk }: Stage, keyId: string): Promise<TaskRow[]> {
  const { read } = desk.database;
  return await read.all(read.builder.selectFrom('tasks').selectAll().where('api_key_id', '=', keyId));
}

async function assertPromises(stage: Stage, row: TaskRow): Promise<void> {
  const calls = stage.calls.get(row.id) ?? [];
  const had = calls.findIndex(({ whim }) => whim === 'takes it' || whim.took !== 'no');
  assert.ok(had === -1 || had === calls.length - 1, `offered again: ${JSON.stringify(calls)}`);
  const visits = calls.map(({ engine }) => engine).filter((engine, index, all) => engine !== all[index - 1]);
  assert.equal(new Set(visits).size, visits.length, `visited again: ${visits}`);
  const { read } = stage.desk.database;
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
  if (row.status !== 'failed') return assert.equal(last?.whim, 'takes it');
  const { code } = JSON.parse(row.error_json ?? '{}');
  if (fault !== null && fault.took !== 'no') return assert.equal(code, 'outcome_unknown');
  if (/^(timeout|upstream_)/.test(code) && (row.completed_at ?? 0) >= row.deadline_at) return;
  assert.ok(fault, `it failed as ${code} without having been refused`);
  if (code === 'upstream_auth' || code === 'upstream_billing') return assert.equal(code, `upstream_${fault.fault}`);
  if (code === 'invalid_input' || code === 'content_policy') return assert.equal(code, fault.fault);
  assert.ok(calls.filter(({ engine }) => engine === last?.engine).length >= 8, `gave up early as ${code}`);
}
