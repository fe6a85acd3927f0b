import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_INSTANCE } from '@darkroom-service/engines';
import fc from 'fast-check';
import { createScriptedEngine } from '../../test/helpers/scripted-engine.ts';
import { changedModel, loadShippedCatalog } from '../catalog/fixtures/sample-catalog.ts';
import { resolveRequest } from '../catalog/resolve-request.ts';
import type { RoutePolicy } from './pick-route.ts';
import { createRouting } from './routing.ts';

const sketch = (await loadShippedCatalog()).find('sketch');
assert.ok(sketch);
const costing = (amount: string) => ({
  as_of: '2026-11',
  source: 'a price list',
  components: [{ per: 'image' as const, amount }],
});
const model = changedModel(sketch, {
  routes: [
    { engine: 'unpriced' },
    { engine: 'dear', cost: costing('0.05') },
    { engine: 'cheap', cost: costing('0.01') },
  ],
});
const resolution = resolveRequest(model, { prompt: 'a fox' }, { purpose: 'create' });
assert.ok(resolution.ok);
const { request } = resolution;

const instance = { ...DEFAULT_INSTANCE, kind: 'cheap', weight: 3 };
const engines = new Map(
  [
    ...['unpriced', 'dear', 'cheap'].map((name) => createScriptedEngine({ name })),
    { ...createScriptedEngine({ name: 'cheap-two' }), instance },
  ].map((engine) => [engine.name, engine]),
);

function choose(policy: RoutePolicy, options: { paused?: string; chance?: number; seconds?: Record<string, number> }) {
  const { paused, chance = 0.5, seconds = {} } = options;
  const routing = createRouting(
    engines,
    { of: () => null, pausedSince: (_, name) => (name === paused ? 1 : null) },
    {
      live: null,
      now: () => 0,
      policy,
      random: () => chance,
      secondsOf: (modelId, engine) => (modelId === 'sketch' ? (seconds[engine] ?? null) : null),
    },
  );
  return routing.routeFor(model, 'live', request, { account: 'acct_1', payment: null }).route?.engine;
}

test('the policy chooses among the instances of the routes that are ready', () => {
  assert.equal(choose('order', {}), 'unpriced');
  assert.equal(choose('order', { paused: 'unpriced' }), 'dear');
  assert.equal(choose('cheapest', {}), 'cheap');
  assert.equal(choose('cheapest', { paused: 'cheap' }), 'cheap-two');
  assert.equal(choose('fastest', { seconds: { dear: 4, 'cheap-two': 3 } }), 'cheap-two');
  // The weights are 1, 1, 1 and 3.
  assert.equal(choose('weighted', { chance: 0.49 }), 'cheap');
  assert.equal(choose('weighted', { chance: 0.51 }), 'cheap-two');
});

test('under the policy order, the first route in the best state gets an order that it can make and that pays for it', () => {
  const routeFacts = fc.record({ isPaused: fc.boolean(), isUnable: fc.boolean(), isDear: fc.boolean() });
  fc.assert(
    fc.property(fc.array(routeFacts, { minLength: 1, maxLength: 5 }), (facts) => {
      const named = facts.map((one, place) => ({ ...one, engine: `engine-${place}` }));
      const several = changedModel(sketch, {
        routes: named.map(({ engine, isUnable, isDear }) => ({
          engine,
          ...(isUnable ? { without: ['prompt'] } : {}),
          ...(isDear ? { cost: costing('0.05') } : {}),
        })),
      });
      const routing = createRouting(
        new Map(named.map(({ engine }) => [engine, createScriptedEngine({ name: engine })])),
        {
          of: () => null,
          pausedSince: (_, name) => (named.some(({ engine, isPaused }) => isPaused && engine === name) ? 1 : null),
        },
        { live: null, now: () => 0 },
      );
      const payment = { measurements: [], allowsDearer: false, quote: () => ({ amount: 10_000 }) };
      const found = routing.routeFor(several, 'live', request, { account: 'acct_1', payment });
      const able = named.filter(({ isUnable }) => !isUnable);
      const paid = able.filter(({ isDear }) => !isDear);
      const expected = paid.find(({ isPaused }) => !isPaused) ?? paid[0];
      assert.equal(found.route?.engine, expected?.engine);
      assert.equal(found.isBelowCost, expected === undefined && able.length > 0);
      assert.equal(found.faults.length > 0, able.length === 0);
    }),
  );
});
