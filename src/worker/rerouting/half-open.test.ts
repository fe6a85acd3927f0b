import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { forEachDatabase } from '../../../test/helpers/databases.ts';
import { openStage, type Stage, type Whim } from '../../../test/helpers/route-stage.ts';
import { placeOrder, untilFinal } from '../../../test/helpers/stage-orders.ts';
import { insertKey } from '../../../test/helpers/task-services.ts';
import { listOutages } from '../../routing/stored-valves.ts';

/** Refusals that last until the operator does something. */
const lasting: fc.Arbitrary<Whim> = fc.record({
  fault: fc.constantFrom('billing', 'billing', 'auth'),
  took: fc.constant('no' as const),
  retryAfterMs: fc.constant(null),
  scope: fc.constantFrom('engine', 'engine', 'route'),
});
const passing: fc.Arbitrary<Whim> = fc.record({
  fault: fc.constantFrom('busy', 'rate_limited', 'upstream'),
  took: fc.constant('no' as const),
  retryAfterMs: fc.constantFrom(null, 2_000),
});

forEachDatabase((kind) => {
  test('a half-open valve of a bill or a key never ends an order that would otherwise wait', async (t) => {
    const stage = await openStage(t, kind, [{ name: 'alpha' }]);
    const whims = fc.array(fc.oneof({ weight: 5, arbitrary: lasting }, passing), { minLength: 1, maxLength: 6 });
    const pauses = fc.array(fc.constantFrom(100, 31_000, 301_000, 600_000), { minLength: 3, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        whims,
        fc.boolean(),
        fc.integer({ min: 2, max: 6 }),
        pauses,
        async (refusals, isPaid, count, steps) => {
          const by = { actor: 'test', now: stage.clock.now(), createId: stage.services.createId };
          await stage.valves.open('alpha', by);
          stage.behave({ alpha: isPaid ? [...refusals, 'takes it'] : refusals });
          const key = await insertKey(stage.services, { concurrency: 4 });
          for (let order = 0; order < count; order++) await placeOrder(stage, key).catch(refusedForNow);
          for (const step of steps) {
            stage.clock.advance(step);
            await stage.round();
          }
          for (const row of await untilFinal(stage, key.id, 60_000)) {
            const starts = (stage.calls.get(row.id) ?? []).filter(({ call }) => call === 'start');
            assert.deepEqual(await moneyOf(stage, row.id), [
              ['hold', -row.price],
              ['release', row.price],
            ]);
            const isEarly =
              (row.completed_at ?? 0) < row.deadline_at && /^upstream_(?:billing|auth)$/.test(codeOf(row));
            // One that was refused for another reason has a time limit of its own, and so has one that waited for it.
            if (isEarly && starts.every(({ whim }) => isLasting(whim)))
              assert.equal(
                starts.some(({ isTest, at }) => isTest === true && at === row.completed_at),
                false,
                `a test ended it: ${JSON.stringify({ starts, error: row.error_json, at: row.completed_at, by: row.deadline_at })}`,
              );
          }
        },
      ),
      { numRuns: kind === 'sqlite' ? 15 : 3 },
    );
  });
});

test('an order that tested an empty account waits in its place, and is made once the account is filled', async (t) => {
  const stage = await openStage(t, 'sqlite', [{ name: 'alpha' }]);
  const empty: Whim = { fault: 'billing', took: 'no', retryAfterMs: null };
  stage.behave({ alpha: [...Array.from({ length: 3 }, () => empty), 'takes it'] });
  const key = await insertKey(stage.services);
  for (let order = 0; order < 5; order++) await placeOrder(stage, key);
  const rows = await untilFinal(stage, key.id, 60_000);
  const starts = rows.map(({ id }) => (stage.calls.get(id) ?? []).filter(({ call }) => call === 'start'));
  const failed = rows.filter((_, index) => starts[index]?.at(-1)?.whim !== 'takes it');
  assert.equal(stage.valves.of('alpha'), null);
  assert.ok(failed.length <= 2, 'only those that met a valve that was open');
  assert.ok(failed.every((row) => codeOf(row) === 'upstream_billing'));
  assert.equal(
    starts.flat().filter(({ isTest, whim }) => isTest === true && whim !== 'takes it').length,
    3 - failed.length,
  );
});

test('a quota of a day pauses its model until it resets, and is told, while the engine goes on', async (t) => {
  const stage = await openStage(t, 'sqlite', [{ name: 'alpha' }]);
  const { valves, clock, services } = stage;
  stage.behave({ alpha: [{ fault: 'rate_limited', took: 'no', retryAfterMs: 240_000, scope: 'route' }, 'takes it'] });
  const key = await insertKey(services);
  await placeOrder(stage, key);
  await stage.round();
  const shut = valves.of('alpha/');
  assert.deepEqual([shut?.kind, (shut?.retry_at ?? 0) - clock.now(), valves.of('alpha')], ['pause', 240_000, null]);
  await assert.rejects(placeOrder(stage, key), { code: 'model_unavailable' });
  const told = await listOutages(services.database.read, clock.now());
  assert.deepEqual(
    told.map(({ subject, fault, lasts }) => [subject, fault, lasts]),
    [['alpha/', 'rate_limited', false]],
  );
  const [row] = await untilFinal(stage, key.id, 60_000);
  const starts = (stage.calls.get(row?.id ?? '') ?? []).filter(({ call }) => call === 'start');
  assert.equal(starts.length, 2, 'it was not sent in between');
  assert.equal(starts.at(-1)?.whim, 'takes it');
  assert.equal(valves.of('alpha/'), null);
});

function isLasting(whim: Whim): boolean {
  return whim !== 'takes it' && (whim.fault === 'billing' || whim.fault === 'auth');
}

function codeOf({ error_json }: { readonly error_json: string | null }): string {
  return (JSON.parse(error_json ?? '{}') as { code?: string }).code ?? '';
}

async function moneyOf({ services }: Stage, taskId: string) {
  const { read } = services.database;
  const entries = await read.all(read.builder.selectFrom('ledger').selectAll().where('task_id', '=', taskId));
  return entries.map(({ kind, amount }) => [kind, amount]);
}

/** Upstreams that want another key or money take no new orders. */
function refusedForNow(error: unknown): void {
  assert.equal((error as { code?: string }).code, 'model_unavailable');
}
