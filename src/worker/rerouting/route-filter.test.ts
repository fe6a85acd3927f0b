import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_INSTANCE, type EngineErrorClass } from '@darkroom-service/engines';
import { rounds } from '@darkroom-service/testing';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { openStage, type Stage, type StageEngine } from '../../../test/helpers/route-stage.ts';
import { placeOrder, rowsOf, takerOf, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import type { RouteFilter } from '../../record/route-filter.ts';
import { routeOf } from '../../record/task-json.ts';
import { ROUTE_POLICIES } from '../../routing/pick-route.ts';

const ENGINES: readonly StageEngine[] = [
  { name: 'alpha', idempotency: 'replays' },
  { name: 'alpha-eu', idempotency: 'replays', instance: { ...DEFAULT_INSTANCE, kind: 'alpha', weight: 2 } },
  { name: 'beta', idempotency: 'none' },
  { name: 'gamma', idempotency: 'refuses_duplicates' },
];
const NAMES = ENGINES.map(({ name }) => name);
const REFUSAL = { fault: 'billing', took: 'no', retryAfterMs: null } as const;

/**
 * A filter whose rules name the engines that an order may go to. `closed` are engines of which something has become
 * known that fits no rule.
 */
function createFilter() {
  const rules = new Map<string, readonly string[]>();
  const closed = new Set<string>();
  const filter: RouteFilter = {
    ruleOf({ id }) {
      const only = rules.get(id);
      return only === undefined ? null : { only };
    },
    exclusionOf: ({ only }, { engine }) =>
      (only as string[]).includes(engine) && !closed.has(engine) ? null : `${engine} is not in the rule`,
    describe: ({ engine }) => ({ engine }),
    refresh: async () => {},
  };
  return { rules, closed, filter };
}

const whim = fc.oneof(
  { weight: 2, arbitrary: fc.constant('takes it' as const) },
  {
    weight: 5,
    arbitrary: fc.record({
      fault: fc.constantFrom<EngineErrorClass>('auth', 'billing', 'rate_limited', 'busy', 'upstream', 'timeout'),
      took: fc.constantFrom('no' as const, 'no' as const, 'no' as const, 'unknown' as const, 'yes' as const),
      retryAfterMs: fc.constantFrom(null, 500, 45_000),
    }),
  },
);
const anyMoods = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.array(whim, { minLength: 1, maxLength: 6 })])),
);
const anyRules = fc.array(fc.option(fc.subarray(NAMES)), { minLength: 1, maxLength: 4 });
const anySteps = fc.array(
  fc.record({
    afterMs: fc.constantFrom(100, 3_000, 31_000, 600_000),
    /** The configured engines after a restart; null = no restart. */
    restart: fc.option(fc.subarray(NAMES, { minLength: 1 })),
    policy: fc.constantFrom(...ROUTE_POLICIES),
    /** Engines that no rule accepts from now on. */
    closed: fc.option(fc.subarray(NAMES), { freq: 2 }),
  }),
  { minLength: 3, maxLength: 14 },
);

forEachDatabase((kind) => {
  test('no order reaches a route that its rule excludes, whatever upstreams, operators and facts do', async (t) => {
    const { rules, closed, filter } = createFilter();
    const stage = await openStage(t, kind, ENGINES, { filter });
    await fc.assert(
      fc.asyncProperty(anyMoods, anyRules, anySteps, async (moods, ofKeys, steps) => {
        await openAll(stage);
        closed.clear();
        stage.restart(NAMES, steps[0]?.policy);
        stage.behave(moods);
        const keys: string[] = [];
        const before = new Map<string, number>();
        for (const only of ofKeys) {
          const key = await insertKey(stage.services, { concurrency: 4 });
          keys.push(key.id);
          if (only !== null) rules.set(key.id, only);
          for (let count = 0; count < 2; count++)
            await placeOrder(stage, key).catch((error: { code?: string }) =>
              assert.ok(
                error.code === 'model_unavailable' || (error.code === 'unsupported_value' && only !== null),
                String(error),
              ),
            );
        }
        const assertNoneExcluded = async () => {
          for (const keyId of keys)
            for (const { id } of await rowsOf(stage, keyId)) {
              const calls = stage.calls.get(id) ?? [];
              const only = rules.get(keyId) ?? null;
              for (const { engine, call } of calls.slice(before.get(id) ?? 0))
                if (call === 'start' && only !== null)
                  assert.ok(only.includes(engine) && !closed.has(engine), `${id} reached ${engine}, not in ${only}`);
              before.set(id, calls.length);
            }
        };
        for (const { afterMs, restart, policy, closed: closes } of steps) {
          if (restart !== null) stage.restart(restart, policy);
          if (closes !== null) for (const engine of closes) closed.add(engine);
          stage.clock.advance(afterMs);
          await stage.round();
          await assertNoneExcluded();
        }
        stage.restart(NAMES);
        for (const keyId of keys) await untilFinal(stage, keyId);
        await assertNoneExcluded();
      }),
      { numRuns: rounds(kind === 'sqlite' ? 40 : 12) },
    );
  });

  test('a waiting order whose route its rule excludes by now goes on to one that fits, or ends and says why', async (t) => {
    const { rules, closed, filter } = createFilter();
    const stage = await openStage(t, kind, ENGINES, { filter });
    const [wide, narrow] = [await insertKey(stage.services), await insertKey(stage.services)];
    rules.set(wide.id, ['alpha', 'gamma']).set(narrow.id, ['alpha']);
    for (const key of [wide, narrow]) await placeOrder(stage, key);
    closed.add('alpha');
    const [moved] = await untilFinal(stage, wide.id);
    const [ended] = await untilFinal(stage, narrow.id);
    assert.ok(moved && ended);
    assert.equal(takerOf(moved), 'gamma');
    assert.deepEqual(routeOf(moved).rule, { only: ['alpha', 'gamma'] });
    assert.deepEqual(JSON.parse(ended.error_json ?? ''), {
      code: 'invalid_input',
      message: 'data: no upstream of sketch fits the rule of this order any more (alpha is not in the rule).',
    });
    assert.equal(stage.calls.get(ended.id), undefined);
  });

  test('an order is refused if its rule excludes each route, and the refusal names what excludes which', async (t) => {
    const { rules, filter } = createFilter();
    const stage = await openStage(t, kind, ENGINES, { filter });
    stage.restart(['alpha', 'beta']);
    const key = await insertKey(stage.services);
    rules.set(key.id, ['gamma']);
    await assert.rejects(placeOrder(stage, key), {
      code: 'unsupported_value',
      message:
        'data: no upstream of sketch fits the rule of this order (alpha is not in the rule; beta is not in the rule).',
    });
    rules.set(key.id, ['beta']);
    stage.behave({ beta: [REFUSAL] });
    await placeOrder(stage, key);
    const [row] = await untilFinal(stage, key.id);
    assert.deepEqual(
      [...new Set(stage.calls.get(row?.id ?? '')?.map(({ engine }) => engine))],
      ['beta'],
      'a refused order has no further route',
    );
  });
});

async function openAll({ valves, services }: Stage): Promise<void> {
  const by = { actor: 'test', now: services.clock.now(), createId: services.createId };
  for (const name of NAMES) await valves.open(name, by);
}
