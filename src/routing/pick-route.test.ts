import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_INSTANCE, type EngineInstance } from '@darkroom-service/engines';
import fc from 'fast-check';
import { instancesFor, pickRoute, ROUTE_POLICIES, type RoutePolicy } from './pick-route.ts';

interface Judged {
  readonly engine: string;
  readonly model: number;
  readonly rank: number;
  readonly weight: number;
  readonly cost: number | null;
  readonly seconds: number | null;
}

const NAMES = ['fal', 'fal-eu', 'fal-us', 'replicate'];
const anyRoutes = fc
  .array(
    fc.record({
      engine: fc.constantFrom(...NAMES),
      rank: fc.integer({ min: 0, max: 4 }),
      cost: fc.option(fc.integer({ min: 0, max: 5 })),
      seconds: fc.option(fc.integer({ min: 1, max: 5 })),
    }),
    { maxLength: 8 },
  )
  .chain((routes) =>
    fc
      .array(fc.integer({ min: 0, max: 4 }), { minLength: NAMES.length, maxLength: NAMES.length })
      .map((weights) =>
        routes.map((route, model): Judged => ({ ...route, model, weight: weights[NAMES.indexOf(route.engine)] ?? 0 })),
      ),
  );
const anyPolicy = fc.constantFrom(...ROUTE_POLICIES);
const anyChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const MEASURES = {
  rankOf: ({ rank }: Judged) => rank,
  weightOf: ({ weight }: Judged) => weight,
  costOf: ({ cost }: Judged) => cost,
  secondsOf: ({ seconds }: Judged) => seconds,
};
const choose = (routes: readonly Judged[], policy: RoutePolicy, chance = 0.5) =>
  pickRoute(routes, policy, MEASURES, chance);
const bestOf = (routes: readonly Judged[]) => {
  const best = Math.min(...routes.map(({ rank }) => rank));
  return routes.filter(({ rank }) => rank === best);
};

describe('the choice of a route', () => {
  it('is one of the routes in the best state under every policy, and none only if there is none', () => {
    fc.assert(
      fc.property(anyRoutes, anyPolicy, anyChance, (routes, policy, chance) => {
        const chosen = choose(routes, policy, chance);
        if (routes.length === 0) assert.equal(chosen, undefined);
        else assert.ok(chosen !== undefined && bestOf(routes).includes(chosen));
      }),
    );
  });

  it('is the first as written by default', () => {
    fc.assert(
      fc.property(anyRoutes, anyChance, (routes, chance) => {
        assert.equal(choose(routes, 'order', chance), bestOf(routes)[0]);
      }),
    );
  });

  it('follows the weights of the instances, however many routes an instance has', () => {
    fc.assert(
      fc.property(anyRoutes, (routes) => {
        const ready = bestOf(routes);
        const weights = new Map(ready.map(({ engine, weight }) => [engine, weight]));
        const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
        const draws = Math.max(1, total);
        const drawn = Array.from({ length: draws }, (_, at) => choose(routes, 'weighted', (at + 0.5) / draws)?.engine);
        if (total === 0) assert.equal(drawn[0], ready[0]?.engine);
        else
          for (const [engine, weight] of weights)
            assert.equal(drawn.filter((name) => name === engine).length, weight, `${engine} of ${drawn.join()}`);
      }),
    );
  });

  it('is the cheapest: no ready route with a known lower cost is left out, and equal ones go as written', () => {
    fc.assert(
      fc.property(anyRoutes, anyChance, (routes, chance) => {
        const [first] = bestOf(routes).toSorted((a, b) => (a.cost ?? 99) - (b.cost ?? 99));
        assert.equal(choose(routes, 'cheapest', chance), first);
      }),
    );
  });

  it('is the fastest by what was measured, but for a twentieth of the orders, which measure the others', () => {
    fc.assert(
      fc.property(anyRoutes, anyChance, (routes, chance) => {
        const ready = bestOf(routes);
        const chosen = choose(routes, 'fastest', chance);
        const [first] = ready.toSorted((a, b) => (a.seconds ?? 99) - (b.seconds ?? 99));
        const measures = chance < 0.05 && ready.length > 1 && ready.some(({ seconds }) => seconds === null);
        if (measures) assert.equal(chosen?.seconds, null);
        else assert.equal(chosen, first);
      }),
    );
  });
});

describe('the instances of an account', () => {
  const ACCOUNTS = ['acc_1', 'acc_2', 'acc_3'];
  const anyInstances = fc.array(
    fc.option(
      fc
        .record({
          pinnedAccounts: fc.subarray(ACCOUNTS),
          excludedAccounts: fc.subarray([...ACCOUNTS, '*']),
        })
        .map((rules): EngineInstance => ({ ...DEFAULT_INSTANCE, kind: 'fal', ...rules })),
    ),
    { maxLength: 5 },
  );

  it('are those that pin it, or else those that do not exclude it, as written', () => {
    fc.assert(
      fc.property(anyInstances, fc.constantFrom(...ACCOUNTS), (settings, account) => {
        const all = settings.map((instance) => (instance === null ? {} : { instance }));
        const pinned = all.filter(({ instance }) => instance?.pinnedAccounts.includes(account));
        const open = all.filter(({ instance }) =>
          (instance?.excludedAccounts ?? []).every((one) => one !== '*' && one !== account),
        );
        assert.deepEqual(instancesFor(all, account), pinned.length > 0 ? pinned : open);
        assert.deepEqual(instancesFor(all, null), all);
      }),
    );
  });
});
