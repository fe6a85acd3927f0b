import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMicros } from '@darkroom-service/contract';
import type { Quote, QuoteLine } from '@darkroom-service/contract/catalog';
import fc from 'fast-check';
import { loadShippedCatalog } from '../fixtures/sample-catalog.ts';
import { measureRequest } from '../measure-request.ts';
import { resolveRequest } from '../resolve-request.ts';
import { quoteAt, quoteRequest, settleAmount } from './quote.ts';
import { priceRelevantBodies } from './relevant-bodies.ts';

const shipped = await loadShippedCatalog();
const orders = shipped.models.flatMap((model) =>
  [...priceRelevantBodies(model)].slice(0, 40).flatMap((body) => {
    const found = resolveRequest(model, body, { purpose: 'quote' });
    return found.ok ? [{ model, request: found.request }] : [];
  }),
);
const sumOf = (lines: readonly QuoteLine[]) =>
  lines.reduce((sum, line) => sum + (parseMicros(line.amount) ?? Number.NaN), 0);

test('an order with an own upstream key costs the fee and nothing else, and never more than was held, however it is measured', () => {
  const anyFee = fc.record({
    amount: fc.integer({ min: 0, max: 5_000_000 }),
    percent: fc.oneof(
      fc.constantFrom(0, 100),
      fc.integer({ min: 1, max: 99_999 }).map((number) => number / 1_000),
    ),
  });
  const seconds = fc.double({ min: 0.1, max: 60, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...orders),
      anyFee,
      seconds,
      ({ model, request }, { amount, percent }, durationSeconds) => {
        const fee = { amount, share: (percent / 100).toFixed(9) };
        const price = quoteRequest(model, request, '1').amount;
        // As it is stored with the task.
        const quote = JSON.parse(JSON.stringify(quoteAt(model, request, { fee }))) as Quote;
        // Each line is rounded to a micro-dollar.
        const expected = amount + price * (percent / 100);
        assert.ok(Math.abs(quote.amount - expected) <= quote.lines.length + 1, `${quote.amount}, expected ${expected}`);
        assert.equal(sumOf(quote.lines), quote.amount);
        if (percent === 0) assert.deepEqual([quote.amount, quote.exact], [amount, true]);
        const measurements = request.media.map(({ field, index }) => ({
          field,
          index,
          width: 640,
          height: 480,
          durationSeconds,
        }));
        const measured = measureRequest(model, request, measurements).request;
        const delivered = { ...measured, output: { ...measured.output, durationSeconds } };
        const settled = settleAmount(quote, delivered, measurements);
        assert.ok(settled.amount <= quote.amount && settled.amount >= Math.min(amount, quote.amount));
        assert.equal(sumOf(settled.lines), settled.amount);
        const ordinary = settleAmount(quoteRequest(model, request, '1'), delivered, measurements).amount;
        const share = amount + ordinary * (percent / 100);
        assert.ok(Math.abs(settled.amount - share) <= settled.lines.length + 1, `${settled.amount}, expected ${share}`);
      },
    ),
    { numRuns: 1000 },
  );
});
