import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_INSTANCE, type EngineErrorClass, type Idempotency } from '@darkroom-service/engines';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { openStage, type Stage, type StageEngine } from '../../../test/helpers/route-stage.ts';
import { placeOrder, rowsOf, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import type { TaskRow } from '../../record/task.ts';
import { routeOf } from '../../record/task-json.ts';
import { ROUTE_POLICIES } from '../../routing/pick-route.ts';

const KINDS = { alpha: 'replays', beta: 'none', gamma: 'refuses_duplicates' } as const satisfies Record<
  string,
  Idempotency
>;
/** Two accounts at each upstream. The second one is also a named instance. */
const ENGINES = Object.entries(KINDS).flatMap(([kind, idempotency]): StageEngine[] => [
  { name: kind, idempotency },
  { name: `${kind}-eu`, idempotency, instance: { ...DEFAULT_INSTANCE, kind, weight: 2 } },
]);
const NAMES = ENGINES.map(({ name }) => name);

const whim = fc.oneof(
  { weight: 2, arbitrary: fc.constant('takes it' as const) },
  {
    weight: 5,
    arbitrary: fc.record({
      fault: fc.constantFrom<EngineErrorClass>('auth', 'billing', 'rate_limited', 'busy', 'upstream', 'timeout'),
      took: fc.constantFrom('no' as const, 'no' as const, 'unknown' as const, 'yes' as const),
      retryAfterMs: fc.constantFrom(null, 500, 45_000),
    }),
  },
);
const anyMoods = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, fc.array(whim, { minLength: 1, maxLength: 6 })])),
);
const anySteps = fc.array(
  fc.record({
    afterMs: fc.constantFrom(100, 3_000, 31_000, 600_000),
    /** The instances in the file after a restart; null = no restart. */
    restart: fc.option(fc.subarray(NAMES, { minLength: 1 })),
    policy: fc.constantFrom(...ROUTE_POLICIES),
  }),
  { minLength: 5, maxLength: 20 },
);

forEachDatabase((kind) => {
  test('an order never changes its instance once its submission may have begun, whatever upstreams and operators do', async (t) => {
    const stage = await openStage(t, kind, ENGINES);
    await fc.assert(
      fc.asyncProperty(anyMoods, fc.integer({ min: 1, max: 5 }), anySteps, async (moods, orders, steps) => {
        await closeAll(stage);
        stage.restart(NAMES, steps[0]?.policy);
        stage.behave(moods);
        const key = await insertKey(stage.services, { concurrency: 4 });
        for (let count = 0; count < orders; count++)
          await placeOrder(stage, key).catch((error: { code?: string }) =>
            assert.equal(error.code, 'model_unavailable'),
          );
        for (const { afterMs, restart, policy } of steps) {
          if (restart !== null) stage.restart(restart, policy);
          stage.clock.advance(afterMs);
          await stage.round();
          for (const row of await rowsOf(stage, key.id)) assertOneInstance(stage, row);
        }
        stage.restart(NAMES);
        for (const row of await untilFinal(stage, key.id)) assertOneInstance(stage, row);
      }),
      { numRuns: kind === 'sqlite' ? 30 : 8 },
    );
  });

  test('the orders of a pinned account go to its instance alone, and those of an excluded one never there', async (t) => {
    const pinned = await openPinned(t, kind);
    const { stage, ours, others } = pinned;
    stage.behave({ alpha: [REFUSAL], 'alpha-eu': [REFUSAL], beta: ['takes it'] });
    for (const key of [ours, others]) await placeOrder(stage, key);
    const rows = [...(await untilFinal(stage, ours.id, 1_000)), ...(await untilFinal(stage, others.id, 1_000))];
    const visits = rows.map(({ id }) => [...new Set(stage.calls.get(id)?.map(({ engine }) => engine))]);
    assert.deepEqual(visits, [
      ['alpha-eu', 'beta'],
      ['alpha', 'beta'],
    ]);
  });
});

const REFUSAL = { fault: 'billing', took: 'no', retryAfterMs: null } as const;

async function openPinned(t: Parameters<typeof openStage>[0], kind: Parameters<typeof openStage>[1]) {
  const rules = { pinnedAccounts: ['acc_pinned'], excludedAccounts: ['*'] };
  const stage = await openStage(t, kind, [
    { name: 'alpha' },
    { name: 'alpha-eu', instance: { ...DEFAULT_INSTANCE, kind: 'alpha', ...rules } },
    { name: 'beta' },
  ]);
  const others = await insertKey(stage.services);
  const ours = await insertKey(stage.services);
  // The account is known only now.
  rules.pinnedAccounts[0] = ours.account.id;
  return { stage, ours, others };
}

/**
 * From the first submission that was not certainly refused on, every call goes to one instance, and the row names it.
 */
function assertOneInstance(stage: Stage, row: TaskRow): void {
  const calls = stage.calls.get(row.id) ?? [];
  const began = calls.findIndex(({ whim }) => whim === 'takes it' || whim.took !== 'no');
  if (began === -1) return;
  const later = [...new Set(calls.slice(began).map(({ engine }) => engine))];
  const told = `${row.id}: ${JSON.stringify(calls)}`;
  assert.equal(later.length, 1, told);
  assert.equal(routeOf(row).engine, later[0], told);
  const idempotency = ENGINES.find(({ name }) => name === later[0])?.idempotency;
  const starts = calls.slice(began).filter(({ call }) => call === 'start');
  if (idempotency === 'none') assert.equal(starts.length, 1, told);
}

async function closeAll({ valves, services }: Stage): Promise<void> {
  const by = { actor: 'test', now: services.clock.now(), createId: services.createId };
  for (const name of NAMES) await valves.open(name, by);
}
