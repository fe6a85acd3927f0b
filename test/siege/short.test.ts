import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackNamed } from './attacks.ts';
import { brokenPromises } from './judge.ts';
import { runSiege } from './run-siege.ts';

/**
 * The short form of `npm run siege`: what attacks do to orders and answers. What they do to times and memory is
 * measured by the program.
 */
const ATTACKS = [
  'addresses of 3,900 segments',
  'catalogs asked for in one go and never read',
  '31 MB of field names',
  'a batch of 10,000 faulty orders',
  'JSON lines of nothing',
  'films of 10,000 tracks',
  'upstream pictures of nothing',
  'references that trickle',
];

test('live orders and a customer are served through attacks as if there were none', { timeout: 180_000 }, async () => {
  const results = await runSiege({
    setting: 'embedded',
    attacks: ATTACKS.map(attackNamed),
    attackMs: 1_000,
    calmMs: 100,
    upstreamMs: 1_500,
    recoversWithinMs: 0,
  });
  assert.deepEqual(
    results.map(({ attack }) => attack),
    ATTACKS,
  );
  for (const result of results) {
    assert.deepEqual(brokenPromises(result), [], result.attack);
    assert.ok(result.during.requests > 0, 'the customer asked meanwhile');
  }
});
