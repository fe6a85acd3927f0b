import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toldDollars, toldUnits } from './told-cost.ts';

test('an amount in any part of a dollar keeps every digit', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 10 }), (parts, decimals) => {
      const { upstreamCost } = toldDollars(String(parts % 1_000_000_000_000), decimals);
      assert.ok(upstreamCost !== undefined && 'usd' in upstreamCost);
      const [whole = '', part = ''] = upstreamCost.usd.split('.');
      assert.equal(BigInt(whole + part.padEnd(decimals, '0')), BigInt(parts % 1_000_000_000_000));
    }),
  );
});

test('amounts are read as vendors tell them', () => {
  const usd = (value: string) => ({ upstreamCost: { usd: value } });
  assert.deepEqual(toldDollars(200_000_000, 10), usd('0.02'));
  assert.deepEqual(toldDollars(4, 2), usd('0.04'));
  assert.deepEqual(toldDollars('4.5', 2), usd('0.045'));
  assert.deepEqual(toldDollars('12.34', 0), usd('12.34'));
  assert.deepEqual(toldDollars(0, 2), usd('0'));
  assert.deepEqual(toldUnits('3.008'), { upstreamCost: { units: '3.008' } });
});

test('what is no amount is nothing', () => {
  for (const value of [
    null,
    undefined,
    '',
    '-1',
    -1,
    '1e3',
    1e21,
    'free',
    true,
    [],
    {},
    '1.2.3',
    Number.MAX_SAFE_INTEGER + 1,
  ])
    assert.deepEqual([toldDollars(value as never, 2), toldUnits(value as never)], [{}, {}], String(value));
});
