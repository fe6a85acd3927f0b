import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineErrorClass, Idempotency } from '@darkroom-service/engines';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { openStage, type Stage, type StageEngine } from '../../../test/helpers/route-stage.ts';
import { placeOrder, rowsOf, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import { isKeyed } from '../../record/owned-instance.ts';
import type { TaskRow } from '../../record/task.ts';
import { routeOf } from '../../record/task-json.ts';

const KINDS = { alpha: 'replays', beta: 'none', gamma: 'refuses_duplicates' } as const satisfies Record<
  string,
  Idempotency
>;
const NAMES = Object.keys(KINDS) as (keyof typeof KINDS)[];
const ENGINES = NAMES.map((name): StageEngine => ({ name, idempotency: KINDS[name] }));
/** Micro-dollars that no model of the catalog costs. */
const FEE = 1_234_567;

const whim = fc.oneof(
  { weight: 2, arbitrary: fc.constant('takes it' as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      fault: fc.constantFrom<EngineErrorClass>('auth', 'billing', 'rate_limited', 'busy', 'upstream', 'timeout'),
      took: fc.constantFrom('no' as const, 'no' as const, 'unknown' as const, 'yes' as const),
      retryAfterMs: fc.constantFrom(null, 500, 45_000),
    }),
  },
);
const anyMoods = fc.record(
  Object.fromEntries(
    NAMES.flatMap((name) => [name, `${name}@customers`]).map((name) => [
      name,
      fc.array(whim, { minLength: 1, maxLength: 5 }),
    ]),
  ),
);
const account = fc.constantFrom('ours' as const, 'theirs' as const);
const anyAct = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('order' as const), account }) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('set' as const, 'remove' as const),
      account,
      kind: fc.constantFrom(...NAMES),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(100, 3_000, 31_000, 600_000) }),
  },
);

forEachDatabase((kind) => {
  test('an order with the fee goes to upstream keys of its account alone, and one with the ordinary price never does, whatever customers and upstreams do', async (t) => {
    const stage = await openStage(t, kind, ENGINES, { keyFee: { amount: FEE, share: '0' } });
    let feeOrders = 0;
    await fc.assert(
      fc.asyncProperty(anyMoods, fc.array(anyAct, { minLength: 8, maxLength: 30 }), async (moods, acts) => {
        await closeAll(stage);
        stage.behave(moods);
        const keys = { ours: await insertKey(stage.services), theirs: await insertKey(stage.services) };
        for (const one of acts) {
          if (one.act === 'wait') {
            stage.clock.advance(one.ms);
            await stage.round();
          } else if (one.act === 'order')
            await placeOrder(stage, keys[one.account]).catch((error: { code?: string }) =>
              assert.equal(error.code, 'model_unavailable'),
            );
          else stage.setKey(keys[one.account].account.id, one.kind, one.act === 'set');
        }
        for (const key of Object.values(keys)) {
          await untilFinal(stage, key.id);
          for (const row of await rowsOf(stage, key.id)) {
            assertOneSide(stage, row);
            if (row.price === FEE) feeOrders++;
          }
        }
      }),
      { numRuns: kind === 'sqlite' ? 20 : 5 },
    );
    assert.ok(feeOrders > 0, 'no order had an upstream key');
  });
});

function assertOneSide(stage: Stage, row: TaskRow): void {
  const calls = stage.calls.get(row.id) ?? [];
  const told = `${row.id}: ${JSON.stringify(calls)}`;
  const hasFee = row.price === FEE;
  assert.equal(isKeyed(routeOf(row).engine), hasFee, told);
  for (const [index, { engine, call, isRemoved }] of calls.entries()) {
    assert.equal(isKeyed(engine), hasFee, told);
    if (hasFee) assert.ok(engine.endsWith(row.account_id), told);
    // A removed key is used for what may have been submitted with it, and for nothing else.
    if (call === 'start' && isRemoved === true) {
      const before = calls.slice(0, index).filter((one) => one.engine === engine);
      assert.ok(
        before.some(({ whim: was }) => was === 'takes it' || was.took !== 'no'),
        told,
      );
    }
  }
  const began = calls.findIndex(({ whim: was }) => was === 'takes it' || was.took !== 'no');
  if (began !== -1) assert.equal(new Set(calls.slice(began).map(({ engine }) => engine)).size, 1, told);
}

async function closeAll({ valves, services }: Stage): Promise<void> {
  const by = { actor: 'test', now: services.clock.now(), createId: services.createId };
  for (const name of NAMES) await valves.open(name, by);
}
