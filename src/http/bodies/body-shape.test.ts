import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonScan, type JsonShape, ServiceError } from '@darkroom-service/contract';
import { anyCharacter } from '@darkroom-service/testing/samples';
import fc from 'fast-check';
import { assertShape, JSON_LIMITS } from './read-body.ts';

function scan(text: string | Buffer, sizes: readonly number[] = [], takesBareBase64 = false): JsonShape {
  const bytes = Buffer.from(text);
  const json = new JsonScan(Infinity, takesBareBase64);
  let at = 0;
  for (const size of sizes) {
    json.push(bytes.subarray(at, at + size));
    at += size;
  }
  json.push(bytes.subarray(at));
  return json.shape();
}

const [DATA_URI, ANY_FILE] = [/^data:/, /^(?:data:|[\w+/-]{64})/];

/** The same numbers, from the parsed value. @param file recognizes texts that carry files */
function measure(
  value: unknown,
  file: RegExp,
): Omit<JsonShape, 'bytes' | 'bytesOutsideData'> & { readonly dataBytes: number } {
  if (typeof value === 'string') {
    const dataBytes = file.test(value) ? Buffer.byteLength(JSON.stringify(value)) - 2 : 0;
    return { values: 1, names: 0, depth: 0, dataBytes };
  }
  if (typeof value !== 'object' || value === null) return { values: 1, names: 0, depth: 0, dataBytes: 0 };
  const within = Object.values(value).map((inner) => measure(inner, file));
  return {
    values: 1 + within.reduce((sum, one) => sum + one.values, 0),
    names: Math.max(Array.isArray(value) ? 0 : Object.keys(value).length, ...within.map((one) => one.names)),
    depth: 1 + Math.max(0, ...within.map((one) => one.depth)),
    dataBytes: within.reduce((sum, one) => sum + one.dataBytes, 0),
  };
}

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string().map((tail) => `data:${tail}`),
  fc.string({ unit: fc.constantFrom(...'ab"\\'), minLength: 60, maxLength: 200 }),
  fc.nat({ max: 150 }).map((length) => `data:${'x'.repeat(length)}"\\`),
  fc.string({ unit: fc.constantFrom(...'iVBOR/+w0KGg'), minLength: 60, maxLength: 90 }),
  fc.constantFrom('data', 'dat', 'data:', 'Data:x', ' data:x', '"{[,:]}"', '\\"', 'a\\', '[{'),
);
const document = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('value')),
    fc.dictionary(text, tie('value')),
  ),
})).value;

test('the counts equal those of JSON.parse, whatever the spacing, the chunks and the texts that carry files', () => {
  const spaces = fc.constantFrom(0, 1, '\t', '\n');
  fc.assert(
    fc.property(document, spaces, fc.array(fc.nat({ max: 90 })), fc.boolean(), (value, space, sizes, isBare) => {
      const json = JSON.stringify(value, null, space);
      const { dataBytes, ...shape } = measure(JSON.parse(json), isBare ? ANY_FILE : DATA_URI);
      const bytes = Buffer.byteLength(json);
      assert.deepEqual(scan(json, sizes, isBare), { bytes, bytesOutsideData: bytes - dataBytes, ...shape });
    }),
    { numRuns: 500 },
  );
});

test('base64 without data: is a file only for dialects that send it so, with escaped slashes, too', () => {
  for (const text of ['iVBORw0KGgo'.repeat(9), '\\/9j\\/4AAQ'.repeat(9)]) {
    const json = `{"data":"${text}"}`;
    for (const sizes of [[], [json.length - 5], [9], [10], [11], [40]])
      assert.deepEqual(
        [scan(json, sizes).bytesOutsideData, scan(json, sizes, true).bytesOutsideData],
        [json.length, json.length - text.length],
        `${text} ${sizes}`,
      );
  }
  for (const text of ['iVBORw0KGgo', 'iVBORw0KGgo '.repeat(9), '\\"9j'.repeat(40), '\\n'.repeat(70)])
    assert.equal(scan(`["${text}"]`, [], true).bytesOutsideData, text.length + 4, text);
});

test('any bytes are measured without an error, and equally for every chunking', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc
      .array(fc.constantFrom(...'"\\{}[],: d1data:', 'x'.repeat(70)), { maxLength: 80 })
      .map((parts) => Buffer.from(parts.join(''))),
  );
  fc.assert(
    fc.property(bytes, fc.array(fc.nat({ max: 9 })), (noise, sizes) => {
      for (const isBare of [false, true])
        assert.deepEqual(scan(Buffer.from(noise), sizes, isBare), scan(Buffer.from(noise), [], isBare));
    }),
    { numRuns: 500 },
  );
});

test('a slash that is escaped does not hide a data: string, and a name is never one', () => {
  assert.equal(scan('{"a":"data:image\\/png;base64,AAAA"}').bytesOutsideData, '{"a":""}'.length);
  assert.equal(scan('{"data:image/png":"a"}').bytesOutsideData, '{"data:image/png":"a"}'.length);
  assert.equal(scan('["data:a\\"b"]').bytesOutsideData, '[""]'.length);
});

test('each limit is refused with its number and what was found, and what is at the limit passes', () => {
  const messageOf = (json: string) => {
    try {
      assertShape(scan(json));
      return 'accepted';
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      return `${error.code}: ${error.message}`;
    }
  };
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const named = (names: number) => `{${Array.from({ length: names }, (_, index) => `"k${index}":0`).join()}}`;
  const list = (values: number) => `[${Array.from({ length: values - 1 }, () => 0).join()}]`;
  const long = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
  assert.equal(messageOf(nested(JSON_LIMITS.depth)), 'accepted');
  assert.equal(
    messageOf(nested(100_000)),
    'invalid_request: The body nests objects and arrays at least 100000 levels deep; the limit is 32.',
  );
  assert.equal(messageOf(named(JSON_LIMITS.names)), 'accepted');
  assert.equal(
    messageOf(named(257)),
    'invalid_request: The body has an object of at least 257 names; the limit is 256.',
  );
  assert.equal(messageOf(list(JSON_LIMITS.values)), 'accepted');
  assert.equal(messageOf(list(2_001)), 'invalid_request: The body has at least 2001 values; the limit is 2000.');
  assert.equal(messageOf(long(JSON_LIMITS.bytesOutsideData)), 'accepted');
  assert.match(
    messageOf(long(262_145)),
    /^body_too_large: The body has at least 262145 bytes outside of data: strings; the limit is 262144 bytes\. /,
  );
  assert.equal(messageOf(`"data:${'x'.repeat(1_000_000)}"`), 'accepted');
});
