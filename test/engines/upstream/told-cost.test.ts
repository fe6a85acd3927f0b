import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldDollars, toldUnits } from '@darkroom-service/engines/upstream/told-cost';
import fc from 'fast-check';
import { toldAmount } from '../../../src/catalog/pricing/order-cost.ts';

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

test('whatever amount an upstream tells becomes micro-dollars, or nothing where it is beyond any order', () => {
  const digits = (most: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: most });
  fc.assert(
    fc.property(digits(12), digits(15), fc.constantFrom(0, 2, 10), (whole, part, decimals) => {
      const { upstreamCost } = toldDollars(`${whole}.${part}`, decimals);
      assert.ok(upstreamCost !== undefined);
      const amount = toldAmount(upstreamCost, undefined, '1');
      const dividend = BigInt(`${whole}${part}`) * 1_000_000n;
      const divisor = 10n ** BigInt(part.length + decimals);
      const exact = Number((2n * dividend + divisor) / (2n * divisor));
      assert.equal(amount, Number.isSafeInteger(exact) ? exact : null);
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
