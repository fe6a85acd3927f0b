import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type OwnLimits, setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import {
  createIdFactory,
  parseMicros,
  ServiceError,
  SPEND_WINDOWS,
  type SpendWindow,
  windowStart,
} from '@darkroom-service/contract';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { holdWrites } from '../../../test/helpers/hold-writes.ts';
import { commitEnding } from '../../../test/helpers/task-commits.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import type { Database } from '../../database/database.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import type { OrderingKey } from '../../kernel.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { createTask } from '../../orders/create-task.ts';
import type { Ending } from '../../tasks/settle-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import { viewEndUser } from './list-end-users.ts';

const BY = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };

const USERS = ['ada', 'bob', 'c'] as const;
/** Micro-dollars of an order at each resolution. */
const PRICES = { '0.5K': 5_000, '1K': 10_000 } as const;
type Resolution = keyof typeof PRICES;
type User = (typeof USERS)[number];

type Move =
  | { readonly kind: 'orders'; readonly orders: readonly { readonly user: User; readonly resolution: Resolution }[] }
  | { readonly kind: 'settle'; readonly task: number; readonly share: number }
  | { readonly kind: 'fail' | 'cancel' | 'erase'; readonly task: number }
  | { readonly kind: 'limit'; readonly user: User; readonly limits: OwnLimits }
  | { readonly kind: 'wait'; readonly ms: number };

const nth = fc.nat({ max: 30 });
const user = fc.constantFrom(...USERS);
const limit = fc.option(fc.constantFrom(0, 5_000, 12_000, 20_000, 45_000));
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('orders' as const),
      orders: fc.array(fc.record({ user, resolution: fc.constantFrom<Resolution>('0.5K', '1K') }), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), task: nth, share: fc.constantFrom(0, 0.4, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('fail' as const, 'cancel', 'erase'), task: nth }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      user,
      limits: fc.record({ day: limit, month: limit, total: limit }, { requiredKeys: [] }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(60_000, 13 * 3_600_000, 20 * 86_400_000),
    }),
  },
);

interface Known {
  readonly id: string;
  readonly user: User;
  readonly price: number;
  readonly at: number;
  charged: number | null;
  erased: boolean;
}

/** What each process and each test run knows by itself: every order that was accepted, and each limit that was set. */
class Model {
  readonly tasks: Known[] = [];
  readonly own = new Map<User, OwnLimits>();
  readonly defaults: OrderingKey['endUserLimits'];

  constructor(defaults: OrderingKey['endUserLimits']) {
    this.defaults = defaults;
  }

  limit(name: User, window: SpendWindow): number | null {
    const own = this.own.get(name)?.[window];
    return own === undefined ? this.defaults[window] : own;
  }

  sums(name: User, window: SpendWindow, now: number): { charged: number; held: number } {
    const mine = this.tasks.filter(({ user: whose, at }) => whose === name && at >= windowStart(window, now));
    const sumOf = (of: readonly Known[], amount: (task: Known) => number) =>
      of.reduce((sum, task) => sum + amount(task), 0);
    return {
      charged: sumOf(mine, ({ charged }) => charged ?? 0),
      held: sumOf(
        mine.filter(({ charged }) => charged === null),
        ({ price }) => price,
      ),
    };
  }
}

async function order(services: TaskServices, key: OrderingKey, endUser: string, resolution: string): Promise<string> {
  const body = { model_id: 'sketch', prompt: 'a fox', resolution, end_user: endUser };
  const call = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  return (await createTask(services, key, { ...call, body })).task.task_id;
}

async function end(services: TaskServices, taskId: string, ending: Ending): Promise<void> {
  const { read } = services.database;
  const row = await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
  assert.ok(row !== undefined);
  assert.equal(await commitEnding(services, 'test_end', row, ending), true);
}

async function makeMove(
  fleet: readonly TaskServices[],
  key: OrderingKey,
  model: Model,
  step: Move,
  clock: { advance(ms: number): void; now(): number },
): Promise<void> {
  const services = fleet[0]!;
  if (step.kind === 'wait') return clock.advance(step.ms);
  if (step.kind === 'limit') {
    await setScopeLimits(services.database, BY, key, step.user, step.limits);
    model.own.set(step.user, step.limits);
    return;
  }
  if (step.kind === 'orders') {
    const at = clock.now();
    const results = await Promise.allSettled(
      step.orders.map(({ user: name, resolution }, index) =>
        order(fleet[index % fleet.length]!, key, name, resolution),
      ),
    );
    for (const [index, result] of results.entries()) {
      const { user: name, resolution } = step.orders[index]!;
      const price = PRICES[resolution];
      if (result.status === 'fulfilled') {
        model.tasks.push({ id: result.value, user: name, price, at, charged: null, erased: false });
        continue;
      }
      const { reason } = result;
      assert.ok(reason instanceof ServiceError && reason.code === 'end_user_limit_reached', String(reason));
    }
    judgeOrders(model, step.orders, results, at);
    return;
  }
  const task = model.tasks[step.task % Math.max(1, model.tasks.length)];
  if (task === undefined) return;
  if (step.kind === 'erase') {
    if (task.charged === null || task.erased) return;
    await deleteTask(services, key, 'image', task.id);
    task.erased = true;
    return;
  }
  if (task.charged !== null) return;
  if (step.kind === 'cancel') {
    await cancelTask(services, key, 'image', task.id);
    task.charged = 0;
  } else if (step.kind === 'fail') {
    const failure = { code: 'upstream_error', message: 'no', retry: 'new_order' } as const;
    await end(services, task.id, { status: 'failed', failure });
    task.charged = 0;
  } else if (step.kind === 'settle') {
    const amount = Math.floor(task.price * step.share);
    await end(services, task.id, { status: 'succeeded', outputs: [], keep: null, charge: { amount, lines: [] } });
    task.charged = amount;
  }
}

/**
 * Of orders sent at once, those accepted stay within each limit, and none is refused for which there is room in the
 * end.
 */
function judgeOrders(
  model: Model,
  orders: readonly { readonly user: User; readonly resolution: Resolution }[],
  results: readonly PromiseSettledResult<string>[],
  now: number,
): void {
  for (const name of USERS) {
    const room = SPEND_WINDOWS.map((window) => {
      const { charged, held } = model.sums(name, window, now);
      const most = model.limit(name, window);
      return most === null ? Number.POSITIVE_INFINITY : most - charged - held;
    });
    const mine = orders.flatMap((one, index) => (one.user === name ? [{ ...one, result: results[index]! }] : []));
    const isAccepted = mine.some(({ result }) => result.status === 'fulfilled');
    if (isAccepted) assert.ok(Math.min(...room) >= 0, `${name} exceeds a limit by ${-Math.min(...room)}`);
    for (const { resolution, result } of mine)
      if (result.status === 'rejected') assert.ok(PRICES[resolution] > Math.min(...room), `${name} had room`);
  }
}

async function assertAsKnown(
  { database, hooks }: TaskServices,
  key: OrderingKey,
  model: Model,
  now: number,
): Promise<void> {
  for (const name of USERS) {
    const { windows } = await viewEndUser(database.read, key, name, { now, hooks });
    for (const window of SPEND_WINDOWS) {
      const { limit: shown, charged, held, available } = windows[window];
      const expected = model.sums(name, window, now);
      const most = model.limit(name, window);
      assert.deepEqual({ charged: parseMicros(charged), held: parseMicros(held) }, expected, `${name} ${window}`);
      assert.equal(shown === null ? null : parseMicros(shown), most);
      const left = most === null ? null : Math.max(0, most - expected.charged - expected.held);
      assert.equal(available === null ? null : parseMicros(available), left);
    }
  }
}

async function openFleet(t: TestContext, kind: Database['kind']) {
  const { services, clock, openAnother } = await openTestServices(t, kind);
  return { clock, fleet: [services, await openAnother()] as const };
}

forEachDatabase((kind) => {
  test('however orders, endings, deletions and limits interleave, no end user exceeds a limit and its sums are those of its tasks', async (t) => {
    const { clock, fleet } = await openFleet(t, kind);
    const defaults = fc.constantFrom(
      { day: null, month: null, total: null },
      { day: 15_000, month: 40_000, total: null },
      { day: null, month: null, total: 60_000 },
    );
    await fc.assert(
      fc.asyncProperty(defaults, fc.array(move, { maxLength: 30 }), async (endUserLimits, moves) => {
        const key = await insertKey(fleet[0], { mode: 'test', endUserLimits, limitsEndUsers: true });
        const model = new Model(endUserLimits);
        for (const step of moves) {
          await makeMove(fleet, key, model, step, clock);
          await assertAsKnown(fleet[0], key, model, clock.now());
        }
        for (const task of model.tasks)
          if (task.charged === null) {
            await cancelTask(fleet[0], key, 'image', task.id);
            task.charged = 0;
          }
        await assertAsKnown(fleet[0], key, model, clock.now());
        for (const name of USERS) assert.equal(model.sums(name, 'total', clock.now()).held, 0);
      }),
      { numRuns: kind === 'sqlite' ? 60 : 25 },
    );
  });
});

test("an order that waits while its end user's limits are changed is judged by the new ones", async (t) => {
  const { fleet } = await openFleet(t, 'postgres');
  const [services, other] = fleet;
  const key = await insertKey(services, { mode: 'test', limitsEndUsers: true });
  await setScopeLimits(services.database, BY, key, 'ada', { day: 20_000 });
  using held = holdWrites(other.database);
  const lowered = setScopeLimits(held.database, BY, key, 'ada', { day: PRICES['0.5K'] - 1 });
  await held.entered;
  const refused = assert.rejects(order(services, key, 'ada', '0.5K'), { code: 'end_user_limit_reached' });
  await held.untilAwaited();
  held.commit();
  await lowered;
  await refused;
});
