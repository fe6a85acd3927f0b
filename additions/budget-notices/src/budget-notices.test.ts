import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setScopeLimits } from '@darkroom-service/addition-common/limits/scope-limits';
import { type BudgetNoticeView, createIdFactory, formatMicros } from '@darkroom-service/contract';
import type { OrderingKey } from '@darkroom-service/darkroom/kernel';
import fc from 'fast-check';
import { setWebhookUrl } from '../../../src/accounts/accounts.ts';
import { changeKey } from '../../../src/accounts/change-key.ts';
import { findKeyById } from '../../../src/accounts/keyring.ts';
import type { Database } from '../../../src/database/database.ts';
import { deleteTask } from '../../../src/erasure/delete-task.ts';
import { cancelTask } from '../../../src/orders/cancel-task.ts';
import { createTask } from '../../../src/orders/create-task.ts';
import type { TaskServices } from '../../../src/tasks/task-services.ts';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { kernelOf } from '../../../test/helpers/kernel.ts';
import { insertKey, openTestServices } from '../../../test/helpers/task-services.ts';
import { scansOfSqlite } from '../../../test/plans/explain.ts';
import { watchStatements } from '../../../test/plans/watch-statements.ts';
import { limitedKeys } from './limited-keys.ts';
import { notifyEndUserBudgets, notifyKeyBudgets } from './watch-budgets.ts';

const BY = { actor: 'test', now: 0, createId: createIdFactory(() => 0) };
const NOBODY = { before: async () => {}, after: async () => {} };
const URL = 'https://shop.example/hook';
const DAY_MS = 86_400_000;
/** Micro-dollars of an order. */
const PRICE = 10_000;

/** Looks at all limits once, as the loops do. */
async function look(services: TaskServices): Promise<void> {
  const kernel = kernelOf(services);
  const keys = await limitedKeys(kernel.store.read);
  const { signal } = new AbortController();
  await notifyKeyBudgets(kernel, keys, signal);
  await notifyEndUserBudgets(kernel, keys, signal);
}

async function order(services: TaskServices, key: OrderingKey, endUser: string | null = null): Promise<string> {
  const body = {
    model_id: 'sketch',
    prompt: 'a fox',
    resolution: '1K',
    ...(endUser !== null && { end_user: endUser }),
  };
  const call = { type: 'image', path: '/v1/images', idempotencyKey: null, simulate: null } as const;
  return (await createTask(services, key, { ...call, body })).task.task_id;
}

/** Returns what the account is told, oldest first. */
async function toldBy({ read }: Database): Promise<BudgetNoticeView[]> {
  const rows = await read.all(read.builder.selectFrom('webhook_deliveries').selectAll().orderBy('id'));
  const work = await read.all(read.builder.selectFrom('work').select('subject').where('kind', '=', 'webhook'));
  assert.deepEqual(work.map(({ subject }) => subject).sort(), rows.map(({ id }) => id).sort());
  const told = rows.filter(({ type }) => type === 'budget.reached');
  assert.ok(told.every(({ url }) => url === URL));
  return told.map(({ data_json: data }) => JSON.parse(data ?? '') as BudgetNoticeView);
}

const shown = ({ end_user, window, limit, used, share }: BudgetNoticeView) =>
  `${end_user ?? 'key'} ${window} ${used} of ${limit}: ${share} %`;

forEachDatabase((kind) => {
  /** A live key whose account has a URL. */
  async function open(t: TestContext, wish: Partial<OrderingKey> = {}) {
    const opened = await openTestServices(t, kind);
    const { services, database } = opened;
    const key = await insertKey(services, wish);
    await setWebhookUrl(database, BY, { accountId: key.account.id, mode: 'live' }, URL);
    return { ...opened, key, told: async () => (await toldBy(database)).map(shown) };
  }
  const limitKey = async (services: TaskServices, key: OrderingKey, spendLimits: Partial<Limits>) => {
    const now = services.clock.now();
    await changeKey(services, { ...BY, now }, key.id, { spendLimits }, NOBODY);
    return (await findKeyById(services.database.read, key.id)) as OrderingKey;
  };

  test('a look that finds several shares reached tells of the highest one alone, and the next look of nothing', async (t) => {
    const { services, clock, database, key, told } = await open(t, {
      spendLimits: { day: 40_000, month: null, total: null },
    });
    await order(services, key);
    await look(services);
    assert.deepEqual(await told(), []);
    for (let placed = 1; placed < 4; placed++) await order(services, key);
    await look(services);
    await look(services);
    const [notice, ...others] = await toldBy(database);
    assert.deepEqual(others, []);
    assert.deepEqual(notice, {
      key_id: key.id,
      end_user: null,
      mode: 'live',
      window: 'day',
      period: '2026-11-20',
      limit: '0.04',
      used: '0.04',
      currency: 'USD',
      share: 100,
      created_at: new Date(clock.now()).toISOString(),
    });
  });

  test('a notice names the day in the time zone of the limit, that of the key or the own one of an end user', async (t) => {
    const { services, database, key } = await open(t, {
      spendLimits: { day: 20_000, month: null, total: null },
      timezone: 'Pacific/Kiritimati',
    });
    await setScopeLimits(database, BY, key, 'ada', { day: 20_000 });
    await setScopeLimits(database, BY, key, 'bob', { day: 20_000, timezone: 'Pacific/Honolulu' });
    for (const name of ['ada', 'bob']) await order(services, { ...key, limitsEndUsers: true }, name);
    await look(services);
    await look(services);
    assert.deepEqual(
      (await toldBy(database)).map(({ end_user, period, share }) => `${end_user} ${period} ${share}`).sort(),
      ['ada 2026-11-21 50', 'bob 2026-11-20 50', 'null 2026-11-21 100'],
    );
  });

  test('what falls below a share and reaches it again is told once, and anew on the next day', async (t) => {
    const { services, clock, key, told } = await open(t, { spendLimits: { day: 20_000, month: null, total: null } });
    const id = await order(services, key);
    await look(services);
    await cancelTask(services, key, 'image', id);
    await look(services);
    await order(services, key);
    await look(services);
    assert.deepEqual(await told(), ['key day 0.01 of 0.02: 50 %']);
    clock.advance(DAY_MS);
    await order(services, key);
    await look(services);
    assert.equal((await told()).length, 2);
  });

  test('a lowered limit is told of at once without an order, a raised one when its shares are reached', async (t) => {
    const { services, key, told } = await open(t);
    const first = await limitKey(services, key, { total: 100_000 });
    for (let placed = 0; placed < 2; placed++) await order(services, first);
    await look(services);
    assert.deepEqual(await told(), []);
    await limitKey(services, key, { total: 20_000 });
    await look(services);
    const raised = await limitKey(services, key, { total: 60_000 });
    await look(services);
    assert.deepEqual(await told(), ['key total 0.02 of 0.02: 100 %']);
    await order(services, raised);
    await look(services);
    await limitKey(services, key, { total: 20_000 });
    await look(services);
    assert.deepEqual(await told(), ['key total 0.02 of 0.02: 100 %', 'key total 0.03 of 0.06: 50 %']);
  });

  test('processes that look at once, and a look that was killed before its commit, tell of each share once', async (t) => {
    const { services, openAnother, key, told } = await open(t, {
      spendLimits: { day: 10_000, month: 20_000, total: null },
    });
    const others = [await openAnother(), await openAnother()];
    await setScopeLimits(services.database, BY, key, 'ada', { total: 10_000 });
    await order(services, { ...key, limitsEndUsers: true }, 'ada');
    const dying = services.followers.map((follower) => ({
      ...follower,
      told: () => {
        throw new Error('killed');
      },
    }));
    await assert.rejects(look({ ...services, followers: dying }), /killed/);
    assert.deepEqual(await told(), []);
    await Promise.all([services, ...others].map((each) => look(each)));
    await Promise.all([services, ...others].map((each) => look(each)));
    assert.deepEqual((await told()).sort(), [
      'ada total 0.01 of 0.01: 100 %',
      'key day 0.01 of 0.01: 100 %',
      'key month 0.01 of 0.02: 50 %',
    ]);
  });

  test('nobody is told without a default URL, and once there is one, what is reached by then', async (t) => {
    const { services, database, key, told } = await open(t, {
      spendLimits: { day: 10_000, month: null, total: null },
    });
    const set = (url: string | null) => setWebhookUrl(database, BY, { accountId: key.account.id, mode: 'live' }, url);
    await set(null);
    await order(services, key);
    await look(services);
    assert.deepEqual(await told(), []);
    await set(URL);
    await look(services);
    assert.deepEqual(await told(), ['key day 0.01 of 0.01: 100 %']);
  });

  test('an end user whose orders are all deleted is not named to anybody any more', async (t) => {
    const { services, database, key, told } = await open(t);
    await setScopeLimits(database, BY, key, 'ada', { total: 10_000 });
    const limiting = { ...key, limitsEndUsers: true };
    const id = await order(services, limiting, 'ada');
    await cancelTask(services, key, 'image', id);
    await order(services, limiting, 'bob');
    await deleteTask(services, key, 'image', id);
    await setScopeLimits(database, BY, key, 'bob', { total: 20_000 });
    await look(services);
    assert.deepEqual(await told(), ['bob total 0.01 of 0.02: 50 %']);
  });

  test('after any history each share of each limit is told once per window, when a look first finds it reached', async (t) => {
    const { services, clock, database, openAnother, key } = await open(t, {
      endUserLimits: { day: null, month: 40_000, total: null },
    });
    await database.write('end_user_limits_of_key', (trx) =>
      trx.run(trx.builder.updateTable('api_keys').set({ end_user_month: 40_000 }).where('id', '=', key.id)),
    );
    const fleet = [services, await openAnother()];
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 4, maxLength: 25 }), async (moves) => {
        // Another month, so that runs share no window but the total, whose limits no run sets.
        clock.advance(32 * DAY_MS);
        for (const name of USERS) await setScopeLimits(database, BY, key, name, {});
        const before = (await toldBy(database)).length;
        const expected = await play(fleet, await limitKey(services, key, { day: null, month: null }), moves, clock);
        assert.deepEqual((await toldBy(database)).slice(before).map(shown).sort(), expected.sort());
      }),
      { numRuns: kind === 'sqlite' ? 25 : 8 },
    );
  });

  /** Makes the moves, each followed by a look. @returns what is to be told by then */
  async function play(
    fleet: readonly TaskServices[],
    unlimited: OrderingKey,
    moves: readonly Move[],
    clock: { readonly now: () => number; readonly advance: (ms: number) => void },
  ): Promise<string[]> {
    const services = fleet[0]!;
    const placed: { readonly id: string; readonly user: User; readonly day: string }[] = [];
    const own = new Map<User, number | null>();
    const [told, expected] = [new Map<string, number>(), [] as string[]];
    let key = unlimited;
    const today = () => new Date(clock.now()).toISOString().slice(0, 10);
    const monthBegan = today().slice(0, 7);
    for (const [turn, step] of moves.entries()) {
      if (step.kind === 'order') {
        const id = await order(services, { ...key, limitsEndUsers: true }, step.user).catch(() => null);
        if (id !== null) placed.push({ id, user: step.user, day: today() });
      } else if (step.kind === 'cancel') {
        const [gone] = placed.splice(step.order % Math.max(1, placed.length), 1);
        if (gone !== undefined) await cancelTask(services, key, 'image', gone.id);
      } else if (step.kind === 'limit key') key = await limitKey(services, key, { [step.window]: step.limit });
      else if (step.kind === 'limit end user') {
        await setScopeLimits(services.database, BY, key, step.user, { day: step.limit });
        own.set(step.user, step.limit);
      } else if (today().slice(0, 7) === monthBegan) clock.advance(step.ms);
      const spent = (subject: string, window: 'day' | 'month') =>
        PRICE *
        placed.filter(
          ({ user, day }) =>
            (subject === 'key' || subject === user) &&
            (window === 'day' ? day === today() : day.startsWith(today().slice(0, 7))),
        ).length;
      const limits = [
        ...(['day', 'month'] as const).map((window) => ({ subject: 'key', window, limit: key.spendLimits[window] })),
        ...USERS.map((subject) => ({ subject, window: 'day' as const, limit: own.get(subject) ?? null })),
        ...USERS.map((subject) => ({ subject, window: 'month' as const, limit: 40_000 })),
      ];
      for (const { subject, window, limit } of limits) {
        const used = spent(subject, window);
        // An end user without an order is not found.
        if (limit === null || used === 0) continue;
        const share = [100, 80, 50].find((percent) => used * 100 >= limit * percent) ?? 0;
        const name = `${subject} ${window} ${window === 'day' ? today() : today().slice(0, 7)} ${limit}`;
        if (share <= (told.get(name) ?? 0)) continue;
        told.set(name, share);
        expected.push(`${subject} ${window} ${formatMicros(used)} of ${formatMicros(limit)}: ${share} %`);
      }
      await (step.alone ? look(fleet[turn % fleet.length]!) : Promise.all(fleet.map((each) => look(each))));
    }
    return expected;
  }
});

test('no look reads a growing table from end to end', async (t) => {
  const { services, database, address } = await openTestServices(t);
  const key = await insertKey(services, { spendLimits: { day: 10_000, month: null, total: null } });
  await setWebhookUrl(database, BY, { accountId: key.account.id, mode: 'live' }, URL);
  await setScopeLimits(database, BY, key, 'ada', { total: 10_000 });
  await order(services, { ...key, limitsEndUsers: true }, 'ada');
  const statementsSoFar = watchStatements(t);
  await look(services);
  const statements = statementsSoFar();
  assert.equal((await toldBy(database)).length, 2);
  assert.ok(statements.length > 8);
  assert.deepEqual(scansOfSqlite(address.path, statements), []);
});

type Limits = OrderingKey['spendLimits'];
const USERS = ['ada', 'bob'] as const;
type User = (typeof USERS)[number];

/** `alone`: one process looks afterwards, and not all at once. */
type Move = { readonly alone: boolean } & (
  | { readonly kind: 'order'; readonly user: User }
  | { readonly kind: 'cancel'; readonly order: number }
  | { readonly kind: 'limit key'; readonly window: 'day' | 'month'; readonly limit: number | null }
  | { readonly kind: 'limit end user'; readonly user: User; readonly limit: number | null }
  | { readonly kind: 'wait'; readonly ms: number }
);

const user = fc.constantFrom(...USERS);
const limit = fc.option(fc.constantFrom(10_000, 20_000, 25_000, 40_000, 70_000));
const alone = fc.boolean();
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ alone, kind: fc.constant('order' as const), user }) },
  { weight: 2, arbitrary: fc.record({ alone, kind: fc.constant('cancel' as const), order: fc.nat(30) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      alone,
      kind: fc.constant('limit key' as const),
      window: fc.constantFrom('day' as const, 'month'),
      limit,
    }),
  },
  { weight: 3, arbitrary: fc.record({ alone, kind: fc.constant('limit end user' as const), user, limit }) },
  {
    weight: 1,
    arbitrary: fc.record({ alone, kind: fc.constant('wait' as const), ms: fc.constantFrom(3_600_000, DAY_MS) }),
  },
);
