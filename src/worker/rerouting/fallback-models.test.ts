import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMicros } from '@darkroom-service/contract';
import type { EngineErrorClass } from '@darkroom-service/engines';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { plainPicture } from '../../../test/helpers/plain-picture.ts';
import { openStage, type Stage, type StageWhim } from '../../../test/helpers/route-stage.ts';
import type { StageMarket } from '../../../test/helpers/stage-market.ts';
import { placeOrder, rowsOf, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { spentByKey } from '../../accounts/spend-limits.ts';
import { deleteTask } from '../../erasure/delete-task.ts';
import { cancelTask } from '../../orders/cancel-task.ts';
import { quoteOrder } from '../../orders/quote-order.ts';
import { isFinal, type TaskRow } from '../../record/task.ts';
import { routeOf } from '../../record/task-json.ts';
import { findTask } from '../../views/find-tasks.ts';

const NAMES = ['alpha', 'beta', 'gamma'] as const;
const ENGINES = NAMES.map((name) => ({ name }));
/** In micro-dollars, by model. */
const AMOUNTS: Readonly<Record<string, number>> = { sketch: 20_000, second: 50_000, third: 10_000 };
const MARKET: StageMarket = {
  price: '0.02',
  costs: {},
  makes: true,
  picture: plainPicture({ width: 1024, height: 1024 }, 'result'),
  further: {
    second: { price: '0.05', engines: ['beta', 'gamma'] },
    third: { price: '0.01', engines: ['gamma', 'alpha'] },
  },
};
const NO = { took: 'no', retryAfterMs: null } as const;
const EMPTY = { fault: 'billing', ...NO } as const;

const anyWhim: fc.Arbitrary<StageWhim> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<StageWhim>('takes it', 'takes it and refuses its content') },
  {
    weight: 4,
    arbitrary: fc.record({
      fault: fc.constantFrom<EngineErrorClass>('billing', 'rate_limited', 'busy', 'upstream', 'content_policy'),
      took: fc.constantFrom('no' as const, 'no' as const, 'no' as const, 'unknown' as const),
      retryAfterMs: fc.constantFrom(null, 500, 45_000),
    }),
  },
);
const anyMoods = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.array(anyWhim, { minLength: 1, maxLength: 5 })])),
);
const anyOrder = fc.record({
  models: fc.shuffledSubarray(Object.keys(AMOUNTS), { minLength: 1 }),
  onContentPolicy: fc.boolean(),
  cancels: fc.nat({ max: 9 }),
});
type AnyOrder = typeof anyOrder extends fc.Arbitrary<infer Value> ? Value : never;
const anySteps = fc.array(
  fc.record({
    afterMs: fc.constantFrom(100, 3_000, 31_000, 600_000),
    restart: fc.option(fc.subarray([...NAMES], { minLength: 1 }), { freq: 3 }),
  }),
  { minLength: 3, maxLength: 10 },
);

interface Placed extends AnyOrder {
  readonly key: OrderingKey;
}

forEachDatabase((kind) => {
  test('an order of several models is taken at most once, and pays for the model that made it', async (t) => {
    const stage = await openStage(t, kind, ENGINES, { market: MARKET });
    await fc.assert(
      fc.asyncProperty(
        anyMoods,
        fc.array(anyOrder, { minLength: 1, maxLength: 4 }),
        anySteps,
        async (moods, orders, steps) => {
          await openAll(stage);
          stage.restart(NAMES);
          stage.behave(moods);
          const placed: Placed[] = [];
          for (const order of orders) {
            const key = await keyOf(stage);
            await placeOrder(stage, key, bodyOf(order)).then(
              () => placed.push({ ...order, key }),
              ({ code }: { code?: string }) => assert.equal(code, 'model_unavailable'),
            );
          }
          for (const [at, { afterMs, restart }] of steps.entries()) {
            if (restart !== null) stage.restart(restart);
            stage.clock.advance(afterMs);
            for (const { key, cancels } of placed)
              if (cancels === at)
                for (const { id } of await rowsOf(stage, key.id))
                  await cancelTask(stage.services, key, 'image', id).catch(() => {});
            await stage.round();
            for (const one of placed) await assertOrder(stage, one);
          }
          stage.restart(NAMES);
          for (const one of placed) {
            await untilFinal(stage, one.key.id);
            await assertOrder(stage, one);
          }
        },
      ),
      { numRuns: rounds(kind === 'sqlite' ? 25 : 5) },
    );
  });

  test('an order goes on to the next model once no upstream took it for the one before, and says so', async (t) => {
    const stage = await openStage(t, kind, ENGINES, { market: MARKET });
    stage.behave({ alpha: [EMPTY], beta: [EMPTY, EMPTY], gamma: ['takes it'] });
    const key = await keyOf(stage);
    const body = { fallback_models: ['second'], model_id: 'sketch' };
    const quote = await quoteOrder(stage.services, key, { prompt: 'a fox', ...body });
    assert.deepEqual(
      [quote.amount, quote.highest_amount, quote.models],
      [
        '0.02',
        '0.05',
        [
          { model_id: 'sketch', amount: '0.02' },
          { model_id: 'second', amount: '0.05' },
        ],
      ],
    );
    // Of sketch gamma is a route, too, so it is switched off for that order.
    stage.restart(['alpha', 'beta']);
    const id = await placeOrder(stage, key, body);
    await stage.round();
    stage.restart(NAMES);
    const [row] = await untilFinal(stage, key.id);
    assert.deepEqual([row?.status, row?.price, row?.charged], ['succeeded', 50_000, row && AMOUNTS[row.model_id]]);
    const task = await findTask(stage.services, key, 'image', id);
    assert.equal(task.requested_model_id, 'sketch');
    assert.equal(task.input.model_id, task.model_id);
    assert.equal(task.input.prompt, 'a fox');
  });

  test('an order goes to its next model after a refusal of its content only if it says so', async (t) => {
    for (const onContentPolicy of [false, true])
      for (const whim of ['takes it and refuses its content', { fault: 'content_policy', ...NO }] as const) {
        const stage = await openStage(t, kind, ENGINES, { market: MARKET });
        stage.behave({ alpha: [whim], beta: ['takes it'], gamma: ['takes it'] });
        const key = await keyOf(stage);
        await placeOrder(stage, key, bodyOf({ models: ['sketch', 'second'], onContentPolicy, cancels: 9 }));
        const [row] = await untilFinal(stage, key.id);
        assert.ok(row);
        const expected = onContentPolicy ? ['succeeded', 'second', 50_000] : ['failed', 'sketch', 0];
        assert.deepEqual([row.status, row.model_id, row.charged], expected);
        const left = onContentPolicy
          ? [{ model_id: 'sketch', reason: 'An upstream of sketch refused its content.' }]
          : [];
        assert.deepEqual(routeOf(row).models?.left, left);
        await assertOrder(stage, { key, models: ['sketch', 'second'], onContentPolicy, cancels: 9 });
      }
  });

  test('an order starts at the first of its models that takes orders now', async (t) => {
    const stage = await openStage(t, kind, ENGINES, { market: MARKET });
    const key = await keyOf(stage);
    stage.behave({ gamma: [EMPTY], alpha: [EMPTY] });
    await placeOrder(stage, key, { model_id: 'third' });
    await untilFinal(stage, key.id);
    const other = await keyOf(stage);
    await placeOrder(stage, other, { model_id: 'third', fallback_models: ['second'] });
    const [row] = await untilFinal(stage, other.id);
    assert.deepEqual([row?.status, row?.model_id, row?.price], ['succeeded', 'second', 50_000]);
    assert.match(routeOf(row!).models?.left[0]?.reason ?? '', /^third cannot be ordered now/);
  });

  test('a deleted order keeps no prompt among its further models', async (t) => {
    const stage = await openStage(t, kind, ENGINES, { market: MARKET });
    const key = await keyOf(stage);
    const id = await placeOrder(stage, key, { fallback_models: ['second'], prompt: 'a secret fox' });
    const [row] = await untilFinal(stage, key.id);
    assert.match(row?.route_json ?? '', /secret fox/);
    await deleteTask(stage.services, key, 'image', id);
    const [erased] = await rowsOf(stage, key.id);
    assert.doesNotMatch(JSON.stringify(erased), /secret fox/);
  });
});

function bodyOf({ models: [first = '', ...further], onContentPolicy }: AnyOrder) {
  return {
    model_id: first,
    ...(further.length === 0 ? {} : { fallback_models: further, fallback_on_content_policy: onContentPolicy }),
  };
}

async function keyOf({ services }: Stage): Promise<OrderingKey> {
  return await insertKey(services, { concurrency: 4, spendLimits: { day: null, month: null, total: 10_000_000 } });
}

/** Checks an order's calls, model and money at any time. */
async function assertOrder(stage: Stage, { key, models, onContentPolicy }: Placed): Promise<void> {
  const [row] = await rowsOf(stage, key.id);
  assert.ok(row);
  assertCalls(stage, row, models.length > 1 && onContentPolicy);
  const { models: named } = routeOf(row);
  assert.equal(named?.requested, models.length > 1 ? models[0] : undefined);
  const sequence = [...(named?.left ?? []), row, ...(named?.next ?? [])].map((one) => one.model_id);
  assert.deepEqual(sequence, models.length > 1 ? models : [row.model_id]);
  // A model that takes no orders when the order is placed does not count.
  const hold = Math.max(...models.map((model) => AMOUNTS[model]!));
  assert.ok(models.length > 1 ? row.price <= hold : row.price === hold);
  const paid = isFinal(row.status) ? (row.status === 'succeeded' ? AMOUNTS[row.model_id]! : 0) : null;
  assert.equal(row.charged ?? 0, paid ?? 0, `${row.status} ${row.model_id}: ${row.route_json}`);
  assert.ok((paid ?? 0) <= row.price);
  const { read } = stage.services.database;
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll().where('task_id', '=', row.id));
  assert.deepEqual(entries.map(({ kind, amount }) => [kind, amount]).sort(), [
    ...(paid === null || paid === 0 ? [] : [['charge', -paid]]),
    ['hold', -row.price],
    ...(paid === null ? [] : [['release', row.price]]),
  ]);
  assert.equal(await spentByKey(read, stage.services.hooks, key, 'total', stage.clock.now()), paid ?? row.price);
  assert.equal(parseMicros((await findTask(stage.services, key, 'image', row.id)).cost.quoted), row.price);
}

/** Checks that no order was sent after one that an upstream may have, or whose content it refused. */
function assertCalls({ calls }: Stage, { id }: TaskRow, goesOnAfterContent: boolean): void {
  const starts = (calls.get(id) ?? []).filter(({ call }) => call === 'start');
  for (const { whim, isRefusedLater } of starts.slice(0, -1)) {
    if (isRefusedLater === true) assert.ok(goesOnAfterContent, 'sent again after a refusal');
    else assert.ok(whim !== 'takes it' && whim.took === 'no', `sent after ${JSON.stringify(whim)}`);
  }
}

async function openAll({ valves, services }: Stage): Promise<void> {
  const by = { actor: 'test', now: services.clock.now(), createId: services.createId };
  for (const name of NAMES) await valves.open(name, by);
}
