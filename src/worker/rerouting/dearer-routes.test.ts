import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, parseMicros } from '@darkroom-service/contract';
import type { EngineErrorClass } from '@darkroom-service/engines';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { plainPicture } from '../../../test/helpers/plain-picture.ts';
import { openStage, type Stage, type Whim } from '../../../test/helpers/route-stage.ts';
import type { StageMarket } from '../../../test/helpers/stage-market.ts';
import { placeOrder, rowsOf, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { spentByKey } from '../../accounts/spend-limits.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { quoteOrder } from '../../orders/quote-order.ts';
import { isFinal, type TaskRow } from '../../record/task.ts';
import { quoteOf, routeOf } from '../../record/task-json.ts';

const NAMES = ['alpha', 'beta', 'gamma'] as const;
const ENGINES = NAMES.map((name) => ({ name }));
const PRICE = '0.02';
const PRICES = ['0.01', '0.02', '0.03', '0.05', '0.08'] as const;
const REFUSAL = { fault: 'billing', took: 'no', retryAfterMs: null } as const;

const picture = plainPicture({ width: 1024, height: 1024 }, 'result');

const anyWhim: fc.Arbitrary<Whim> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Whim>('takes it') },
  {
    weight: 4,
    arbitrary: fc.record({
      fault: fc.constantFrom<EngineErrorClass>('auth', 'billing', 'rate_limited', 'busy', 'upstream', 'content_policy'),
      took: fc.constantFrom('no' as const, 'no' as const, 'no' as const, 'unknown' as const),
      retryAfterMs: fc.constantFrom(null, 500, 45_000),
    }),
  },
);
const anyMoods = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.array(anyWhim, { minLength: 1, maxLength: 5 })])),
);
const anyCosts: fc.Arbitrary<StageMarket['costs']> = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.constantFrom(...PRICES),
  { minKeys: 2 },
);
const anyOrder = fc.record({
  limit: fc.option(fc.constantFrom('0.02', '0.03', '0.06', '1')),
  allows: fc.boolean(),
  multiplier: fc.constantFrom('0.5', '1', '1.5'),
  cancels: fc.nat({ max: 9 }),
});
const anySteps = fc.array(
  fc.record({
    afterMs: fc.constantFrom(100, 3_000, 31_000, 600_000),
    restart: fc.option(fc.subarray([...NAMES], { minLength: 1 }), { freq: 3 }),
    /** Costs after the catalog was read again. */
    costs: fc.option(anyCosts, { freq: 3 }),
  }),
  { minLength: 3, maxLength: 10 },
);

forEachDatabase((kind) => {
  test('an order pays at most its hold, and without a consent its quote, whatever upstreams and catalogs do', async (t) => {
    const market: StageMarket = { price: PRICE, costs: {}, makes: true, picture };
    const stage = await openStage(t, kind, ENGINES, { market });
    await fc.assert(
      fc.asyncProperty(
        anyCosts,
        anyMoods,
        fc.array(anyOrder, { minLength: 1, maxLength: 4 }),
        anySteps,
        async (costs, moods, orders, steps) => {
          await openAll(stage);
          stage.restart(NAMES);
          reprice(stage, market, costs);
          stage.behave(moods);
          const placed: { readonly key: OrderingKey; readonly quoted: Quoted; readonly cancels: number }[] = [];
          for (const order of orders) {
            const key = await keyAt(stage, order.multiplier);
            const body = bodyOf(order);
            const quoted = await askPrice(stage, key, body);
            await placeOrder(stage, key, body).then(
              () => placed.push({ key, quoted, cancels: order.cancels }),
              (error: { code?: string }) => assertRefusal(error, quoted),
            );
          }
          for (const [at, { afterMs, restart, costs: changed }] of steps.entries()) {
            if (restart !== null) stage.restart(restart);
            if (changed !== null) reprice(stage, market, changed);
            stage.clock.advance(afterMs);
            for (const { key, cancels } of placed)
              if (cancels === at)
                for (const { id } of await rowsOf(stage, key.id))
                  await cancelTask(stage.services, key, 'image', id).catch(() => {});
            await stage.round();
            for (const { key, quoted } of placed) await assertMoney(stage, key, quoted);
          }
          stage.restart(NAMES);
          for (const { key, quoted } of placed) {
            await untilFinal(stage, key.id);
            await assertMoney(stage, key, quoted);
          }
        },
      ),
      { numRuns: rounds(kind === 'sqlite' ? 25 : 5) },
    );
  });

  test('an order that allows it goes on to the cheapest dearer route, is charged its price, and says why', async (t) => {
    const market = { price: PRICE, costs: { alpha: '0.02', beta: '0.08', gamma: '0.05' }, makes: true, picture };
    const stage = await openStage(t, kind, ENGINES, { market });
    stage.behave({ alpha: [REFUSAL] });
    const key = await insertKey(stage.services);
    await placeOrder(stage, key, { allow_dearer: true, max_price: '0.10' });
    await stage.round();
    // While alpha refuses, an order goes to the dearer route at once.
    await placeOrder(stage, key, { allow_dearer: true, max_price: '0.06' });
    const rows = await untilFinal(stage, key.id);
    const [moved, later] = rows.sort((one, other) => other.price - one.price);
    assert.ok(moved && later);
    assert.deepEqual([moved.status, moved.price, moved.charged], ['succeeded', 80_000, 50_000]);
    assert.equal(routeOf(moved).dearer?.reason, 'alpha did not take the order.');
    assert.deepEqual([later.status, later.price, later.charged], ['succeeded', 50_000, 50_000]);
    assert.match(routeOf(later).dearer?.reason ?? '', /^No cheaper upstream was ready \(alpha/);
  });

  test('the price of a dearer route stays as it was when the order went there', async (t) => {
    const market = { price: PRICE, costs: { alpha: '0.05' }, makes: true, picture } as StageMarket;
    const stage = await openStage(t, kind, ENGINES.slice(0, 2), { market });
    reprice(stage, market, { alpha: '0.02', beta: '0.05' });
    stage.behave({ alpha: [REFUSAL] });
    const key = await insertKey(stage.services);
    await placeOrder(stage, key, { allow_dearer: true, max_price: '1' });
    await stage.round();
    await stage.round();
    reprice(stage, market, { alpha: '0.02', beta: '0.08' });
    const [row] = await untilFinal(stage, key.id);
    assert.deepEqual([row?.status, row?.price, row?.charged], ['succeeded', 50_000, 50_000]);
  });
});

interface Quoted {
  readonly amount: number;
  /** Null without a consent to dearer routes. */
  readonly highest: number | null;
  readonly limit: number | null;
}

interface OrderBody extends JsonObject {
  readonly max_price?: string;
  readonly allow_dearer?: true;
}

type AnyOrder = typeof anyOrder extends fc.Arbitrary<infer Value> ? Value : never;

function bodyOf({ limit, allows }: AnyOrder): OrderBody {
  if (limit === null) return {};
  return { max_price: limit, ...(allows ? { allow_dearer: true } : {}) };
}

async function askPrice({ services }: Stage, key: OrderingKey, body: OrderBody): Promise<Quoted> {
  const quote = await quoteOrder(services, key, { model_id: 'sketch', prompt: 'a fox', ...body });
  const amount = parseMicros(quote.amount)!;
  const limit = body.max_price === undefined ? null : parseMicros(body.max_price);
  assert.equal(quote.highest_amount !== undefined, body.allow_dearer === true);
  const highest = quote.highest_amount === undefined ? null : parseMicros(quote.highest_amount ?? quote.amount);
  if (quote.highest_amount === null) assert.ok(amount > limit!);
  else if (highest !== null) assert.ok(amount <= highest && highest <= limit!, JSON.stringify({ quote, limit }));
  return { amount, highest, limit };
}

function assertRefusal(error: { code?: string }, { amount, limit }: Quoted): void {
  if (error.code === 'price_exceeded') assert.ok(limit !== null && amount > limit);
  else assert.equal(error.code, 'model_unavailable');
}

async function keyAt({ services }: Stage, multiplier: string): Promise<OrderingKey> {
  const key = await insertKey(services, { concurrency: 4, spendLimits: { day: null, month: null, total: 10_000_000 } });
  return { ...key, account: { ...key.account, priceRules: [{ models: '*', multiplier }] } };
}

/** Checks the money of an order at any time. */
async function assertMoney(stage: Stage, key: OrderingKey, quoted: Quoted): Promise<void> {
  const [row] = await rowsOf(stage, key.id);
  assert.ok(row);
  const hold = quoted.highest ?? quoted.amount;
  assert.equal(row.price, hold);
  const { amount, consent } = quoteOf(row);
  assert.deepEqual([amount, consent?.highest ?? null], [quoted.amount, quoted.highest]);
  const paid = isFinal(row.status) ? chargeOf(row, quoted) : null;
  assert.equal(row.charged ?? 0, paid ?? 0, `${row.status}: ${row.route_json}`);
  assert.ok((paid ?? 0) <= (quoted.highest ?? quoted.amount));
  const { read } = stage.services.database;
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll().where('task_id', '=', row.id));
  assert.deepEqual(entries.map(({ kind, amount: entered }) => [kind, entered]).sort(), [
    ...(paid === null || paid === 0 ? [] : [['charge', -paid]]),
    ['hold', -hold],
    ...(paid === null ? [] : [['release', hold]]),
  ]);
  assert.equal(await spentByKey(read, stage.services.hooks, key, 'total', stage.clock.now()), paid ?? hold);
}

/** Returns the charge of a final order: the price of its route if that is dearer than the quote, else the quote. */
function chargeOf(row: TaskRow, quoted: Quoted): number {
  const { dearer } = routeOf(row);
  assert.ok(dearer === undefined || (quoted.highest !== null && dearer.amount <= quoted.highest));
  return row.status === 'succeeded' ? (dearer?.amount ?? quoted.amount) : 0;
}

function reprice(stage: Stage, market: StageMarket, costs: StageMarket['costs']): void {
  market.costs = costs;
  stage.reprice();
}

async function openAll({ valves, services }: Stage): Promise<void> {
  const by = { actor: 'test', now: services.clock.now(), createId: services.createId };
  for (const name of NAMES) await valves.open(name, by);
}
