import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResolvedRequest, StatedCost } from '@darkroom-service/contract/catalog';
import { reportedDollars, reportedTokens, reportedUnits } from '@darkroom-service/engines/adapters';
import fc from 'fast-check';
import { reportedAmount } from '../../../src/catalog/pricing/order-cost.ts';

test('an amount in any part of a dollar keeps every digit', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.integer({ min: 0, max: 10 }), (parts, decimals) => {
      const { upstreamCost } = reportedDollars(String(parts % 1_000_000_000_000), decimals);
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
      const { upstreamCost } = reportedDollars(`${whole}.${part}`, decimals);
      assert.ok(upstreamCost !== undefined);
      const amount = reportedAmount(upstreamCost, { request: null }, '1');
      const dividend = BigInt(`${whole}${part}`) * 1_000_000n;
      const divisor = 10n ** BigInt(part.length + decimals);
      const exact = Number((2n * dividend + divisor) / (2n * divisor));
      assert.equal(amount, Number.isSafeInteger(exact) ? exact : null);
    }),
  );
});

test('amounts are read as vendors tell them', () => {
  const usd = (value: string) => ({ upstreamCost: { usd: value } });
  assert.deepEqual(reportedDollars(200_000_000, 10), usd('0.02'));
  assert.deepEqual(reportedDollars(4, 2), usd('0.04'));
  assert.deepEqual(reportedDollars('4.5', 2), usd('0.045'));
  assert.deepEqual(reportedDollars('12.34', 0), usd('12.34'));
  assert.deepEqual(reportedDollars(0, 2), usd('0'));
  assert.deepEqual(reportedUnits('3.008'), { upstreamCost: { units: '3.008' } });
});

test('whatever tokens an upstream counts cost their sum at the price of each kind, rounded once, or nothing without a price', () => {
  const request = { values: { resolution: '1K' }, derived: {} } as unknown as ResolvedRequest;
  const components: StatedCost['components'] = [
    {
      per: 'formula',
      formula: { name: 'output_image_tokens', each: 1 },
      amount: '9',
      when: { resolution: '2K' },
    },
    {
      per: 'formula',
      formula: { name: 'output_image_tokens', each: 1 },
      amount: '0.000000003',
      when: { resolution: '1K' },
    },
    { per: 'image', amount: '5' },
    { per: 'request', amount: '0.01' },
  ];
  const cost = { as_of: '2026-11-25', source: 'a test', components, token_prices: { prompt: '0.000000007' } };
  const count = fc.nat({ max: 10_000_000 });
  fc.assert(
    fc.property(count, count, fc.nat({ max: 1 }), (prompt, image, video) => {
      const { upstreamCost } = reportedTokens({ prompt, output_image: image, video });
      if (upstreamCost === undefined) return assert.equal(prompt + image + video, 0);
      const amount = reportedAmount(upstreamCost, { cost, request }, '0.5');
      const exact = 10_000_000n + 7n * BigInt(prompt) + 3n * BigInt(image);
      assert.equal(amount, video > 0 ? null : Number((exact + 1_000n) / 2_000n));
      assert.equal(reportedAmount(upstreamCost, { cost, request: null }, '0.5'), null);
    }),
  );
});

test('what is no amount is nothing', () => {
  for (const count of [-1, 0.5, '7', Number.MAX_SAFE_INTEGER + 1, null, undefined])
    assert.deepEqual(reportedTokens({ prompt: count as never }), {}, String(count));

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
    assert.deepEqual([reportedDollars(value as never, 2), reportedUnits(value as never)], [{}, {}], String(value));
});
