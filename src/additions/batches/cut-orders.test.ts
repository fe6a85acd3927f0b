import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ArrayCutter, createLineCutter, type OrderCutter } from './cut-orders.ts';

const MOST = 100_000;
/** Text that a careless cutter stumbles over. */
const tricky = fc.constantFrom('"orders":[', '\\"', '}],{', 'a,b', '\n', '[[[', 'ü€😀', 'orders', '');
const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), tricky, fc.dictionary(tricky, tricky));
const order = fc.oneof(fc.dictionary(fc.string(), value), fc.record({ orders: fc.array(value) }), value);
const spacing = fc.constantFrom(undefined, 1, '\t');

/** Cuts a text that arrives in chunks of a size. */
function cut(cutter: OrderCutter, text: string, size: number) {
  const bytes = Buffer.from(text);
  const orders: ReturnType<OrderCutter['push']> = [];
  for (let from = 0; from < bytes.length; from += size) orders.push(...cutter.push(bytes.subarray(from, from + size)));
  const { orders: last, rest } = cutter.end();
  const all = [...orders, ...last];
  return {
    orders: all.map(({ bytes }) => bytes?.toString() ?? null),
    numbers: all.map(({ number }) => number),
    rest: rest.toString(),
  };
}

test('an array of orders is cut into its elements, wherever it stands and however the body is cut into chunks', () => {
  const others = fc.dictionary(
    fc.string().filter((name) => name !== 'orders'),
    value,
  );
  fc.assert(
    fc.property(
      fc.array(order, { maxLength: 6 }),
      others,
      others,
      spacing,
      fc.integer({ min: 1, max: 60 }),
      (...all) => {
        const [orders, before, after, space, size] = all;
        const text = JSON.stringify({ ...before, orders, ...after }, null, space);
        const found = cut(new ArrayCutter(MOST, MOST), text, size);
        assert.deepEqual(
          found.orders.map((each) => JSON.parse(each ?? '')),
          JSON.parse(JSON.stringify(orders)),
        );
        assert.deepEqual(JSON.parse(found.rest), JSON.parse(JSON.stringify({ ...before, orders: [], ...after })));
      },
    ),
    { numRuns: 500 },
  );
});

test('lines are cut at their ends, with and without carriage returns, and empty ones are only counted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(order, { nil: undefined })),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 60 }),
      (orders, end, size) => {
        const lines = orders.map((each) => (each === undefined ? '' : JSON.stringify(each)));
        const found = cut(createLineCutter(MOST), lines.join(end), size);
        const numbered = lines.map((line, index) => ({ line, number: index + 1 })).filter(({ line }) => line !== '');
        assert.deepEqual(
          found.orders.map((line, index) => ({ line, number: found.numbers[index] })),
          numbered,
        );
      },
    ),
  );
  assert.deepEqual(cut(createLineCutter(MOST), '\r\n{}\n\r\n\n{}\n', 3).numbers, [2, 5]);
});

test('an order that is too long is told as such and not kept, and the next one is cut as usual', () => {
  const long = `"${'x'.repeat(200)}"`;
  assert.deepEqual(cut(new ArrayCutter(100, 100), `{"orders":[1,${long},2]}`, 7).orders, ['1', null, '2']);
  assert.deepEqual(cut(createLineCutter(100), `1\n${long}\n2`, 7).orders, ['1', null, '2']);
  assert.throws(() => cut(new ArrayCutter(100, 100), `{"more":${long},"orders":[]}`, 7), { code: 'body_too_large' });
});

test('what is no list of orders is refused, or left for the parser of the rest to refuse', () => {
  const cutArray = (text: string) => cut(new ArrayCutter(MOST, MOST), text, 5);
  for (const text of ['{"orders":[1', '{"orders":["a', '{'])
    assert.throws(() => cutArray(text), { code: 'invalid_json' });
  assert.throws(() => cutArray('{"orders":[1],"orders":[2]}'), { code: 'invalid_request' });
  assert.deepEqual(cutArray('{"orders":[1,]}').orders, ['1', '']);
  assert.deepEqual(cutArray('{"orders":[,1]}').orders, ['', '1']);
  assert.deepEqual(cutArray('{"a":{"orders":[1]},"orders":[ ]}').orders, []);
  assert.deepEqual(cutArray('{"orders":"[1]"}'), { orders: [], numbers: [], rest: '{"orders":"[1]"}' });
});
