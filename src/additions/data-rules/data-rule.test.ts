import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataRuleBody } from '@darkroom-service/contract/schemas';
import fc from 'fast-check';
import { exclusionOf, type Receiver } from './data-rule.ts';
import type { ProviderFacts } from './provider-facts.ts';

const NAMES = ['acme', 'acme-eu', 'zenith', 'nadir'];
const COUNTRIES = ['DE', 'FR', 'US'];

const anyRule = fc.record(
  {
    only: fc.subarray(NAMES, { minLength: 1 }),
    except: fc.subarray(NAMES, { minLength: 1 }),
    country: fc.subarray(COUNTRIES, { minLength: 1 }),
    retention: fc.constantFrom(0, 7, 30),
    training: fc.constant(false as const),
  },
  { requiredKeys: [] },
);
const anyFacts: fc.Arbitrary<ProviderFacts> = fc
  .record({
    country: fc.option(fc.subarray(COUNTRIES, { minLength: 1 })),
    retention_days: fc.option(fc.constantFrom(0, 1, 30, 31)),
    training: fc.option(fc.boolean()),
    passes_on: fc.boolean(),
    in_service: fc.constantFrom(false, false, false, true),
  })
  .map((facts) => ({ provider: 'A vendor', ...facts }));
const anyReceiver: fc.Arbitrary<Receiver> = fc.record({
  engine: fc.constantFrom(...NAMES),
  kind: fc.constantFrom('acme', 'zenith', 'nadir'),
  facts: fc.option(anyFacts),
});

test('an upstream fits rules if it fits each of them, and nothing that it does not fit is left unsaid', () => {
  fc.assert(
    fc.property(fc.array(anyRule, { minLength: 1, maxLength: 4 }), anyReceiver, (rules, receiver) => {
      const together = exclusionOf(rules, receiver);
      const alone = rules.flatMap((rule) => exclusionOf([rule], receiver) ?? []);
      assert.equal(together === null, alone.length === 0);
      for (const part of alone.flatMap((text) => text.slice(text.indexOf(': ') + 2).split(', ')))
        assert.ok(together?.includes(part), `${together}: ${part}`);
    }),
    { numRuns: 3_000 },
  );
});

test('a rule about a fact accepts no upstream of which it is unknown, or that may pass orders on', () => {
  const rules: readonly DataRuleBody[] = [{ country: COUNTRIES }, { retention: 3650 }, { training: false }];
  const best: ProviderFacts = { provider: 'A vendor', country: ['DE'], retention_days: 0, training: false };
  const receiver = (facts: ProviderFacts | null): Receiver => ({ engine: 'acme', kind: 'acme', facts });
  for (const [place, rule] of rules.entries()) {
    const fact = (['country', 'retention_days', 'training'] as const)[place]!;
    assert.equal(exclusionOf([rule], receiver(best)), null);
    for (const facts of [null, { ...best, [fact]: null }])
      assert.match(String(exclusionOf([rule], receiver(facts))), /^acme: .* unknown$/);
    assert.equal(
      exclusionOf([rule], receiver({ ...best, passes_on: true })),
      'acme: it may pass orders on to the maker of the model',
    );
    assert.equal(exclusionOf([rule], receiver({ ...best, [fact]: null, in_service: true })), null);
  }
});

test('an upstream that processes data in several countries fits only if all are allowed', () => {
  const facts: ProviderFacts = { provider: 'A vendor', country: ['DE', 'US'], retention_days: null, training: null };
  const receiver = { engine: 'acme-eu', kind: 'acme', facts };
  assert.equal(exclusionOf([{ country: ['DE'] }], receiver), 'acme: it processes data in DE, US');
  assert.equal(exclusionOf([{ country: ['US', 'DE'] }], receiver), null);
});

test('names of rules mean an instance of the operator or all of its kind, with its batch interface', () => {
  const receiver = { engine: 'acme-eu', kind: 'acme', facts: null };
  for (const name of ['acme', 'acme-eu']) {
    assert.equal(exclusionOf([{ only: [name] }], receiver), null);
    assert.equal(exclusionOf([{ except: [name] }], receiver), "acme: it is in 'except'");
  }
  assert.equal(exclusionOf([{ only: ['acme-us'] }], receiver), "acme: it is not in 'only'");
  const batches = { engine: 'acme-batch', kind: 'acme-batch', facts: null };
  assert.equal(exclusionOf([{ only: ['acme'] }], batches), null);
  assert.equal(exclusionOf([{ except: ['acme'] }], batches), "acme-batch: it is in 'except'");
});
