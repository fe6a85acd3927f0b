import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonScan, ServiceError } from '@darkroom-service/contract';
import fc from 'fast-check';
import { parseJsonBody } from './json-body.ts';
import { replaceEscapes } from './long-data.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));
const codeOf = (run: () => unknown) => {
  try {
    run();
    return 'taken';
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.code;
  }
};

test('an object comes out as it was sent, and nothing at all for an empty body', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const text = JSON.stringify(value);
      // An escaped backslash before such letters is a backslash.
      if (/\\u0000|\\ud[89a-f]/.test(text.replaceAll('\\\\', '')))
        assert.equal(
          codeOf(() => parse(text)),
          'invalid_request',
        );
      else assert.deepEqual(JSON.stringify(parse(text)), text);
    }),
    { numRuns: 300 },
  );
  assert.equal(parse(''), undefined);
});

test('a byte order mark before the text is ignored', () => {
  assert.deepEqual(parse('\uFEFF{"a":1}'), { a: 1 });
});

test('an integer that a double cannot hold stays as it was written', () => {
  const text = '{"seed":18446744073709551615,"more":[-12345678901234567890],"near":9007199254740991,"part":0.5}';
  assert.equal(JSON.stringify(parse(text)), text);
});

test('the refusal of a text that is no JSON says where it is wrong, and quotes nothing of it', () => {
  for (const [text, place] of [
    ['sk-REALSECRET', 'position 0 (line 1, column 1)'],
    ['{"secret": sk-REALSECRET}', 'position 11 (line 1, column 12)'],
    ['{\n  "secret": REALSECRET\n}', 'position 14 (line 2, column 13)'],
    [`{"a": "${'x'.repeat(100)}", "secret": REALSECRET, "b": "${'x'.repeat(100)}"}`, 'position 120'],
    ['{"a" "REALSECRET"}', 'position 5'],
    ["{'REALSECRET': 1}", 'position 1'],
    ['{"a":1} REALSECRET', 'position 8'],
    ['{"a": "REALSECRET', 'it ends too early'],
    ['[{"a": "REALSECRET"}', 'it ends too early'],
    [`"${'x'.repeat(70_000)}" REALSECRET`, 'position 70003'],
    [`[${'1,'.repeat(40_000)} REALSECRET]`, 'a character where JSON has none'],
  ] as const)
    assert.throws(
      () => parse(text),
      (error: ServiceError) => {
        assert.equal(error.code, 'invalid_json');
        assert.ok(error.message.includes(place), error.message);
        assert.doesNotMatch(error.message, /REAL|SECRET|sk-/);
        assert.equal(error.cause, undefined);
        return true;
      },
    );
});

test('long data: strings come out as they were sent, wherever they stand, however they are escaped and the body is cut into chunks', async () => {
  const long = (seed: string) => `data:image/png;base64,${seed.repeat(140_000 / seed.length)}`;
  const strings = fc.constantFrom(
    'fox',
    'ä',
    long('A'),
    long('a/b\n'),
    `data:ä${long('E')}`,
    `data:"${'b\\'.repeat(140_000)}`,
    `x${long('C')}`,
    `"${long('D')}`,
  );
  const writers = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.replaceAll('/', '\\/'),
    (text: string) => text.replaceAll(/[/:]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(strings, { maxLength: 5 }),
      writers,
      fc.integer({ min: 1, max: 180_000 }),
      async (list, write, size) => {
        const value = { first: list, [long('N')]: { second: list[0] ?? null } };
        const [text, names] = [JSON.stringify(value), /"(?:[^"\\]|\\.)*"/g];
        const body = Buffer.from(text.replaceAll(names, write));
        assert.deepEqual(parseJsonBody(body, await longDataIn(body, size)), value);
      },
    ),
    { numRuns: 50 },
  );
});

test('an escape within a long data: string that is no JSON, or that no medium needs, is refused', async () => {
  const bodyWith = (sequence: string) => Buffer.from(`{"a":"data:${'A'.repeat(140_000)}${sequence}"}`);
  const expected = { '\\x': 'invalid_json', '\\u00g0': 'invalid_json', '\\u00e9': 'invalid_request' };
  for (const [sequence, code] of Object.entries({ ...expected, '\\u0000': 'invalid_request' }))
    await assert.rejects(longDataIn(bodyWith(sequence), 200_000), { code });
});

test('a line break within a long data: string is refused as JSON refuses it', async () => {
  const body = Buffer.from(`{"a":"data:${'A'.repeat(140_000)}\n${'A'.repeat(140_000)}"}`);
  await assert.rejects(longDataIn(body, body.length), { code: 'invalid_json' });
});

async function longDataIn(body: Buffer, chunkSize: number) {
  const scan = new JsonScan(131_072);
  for (let at = 0; at < body.length; at += chunkSize) scan.push(body.subarray(at, at + chunkSize));
  return await replaceEscapes(body, scan.longData());
}

test('any bytes are either accepted or refused, and never cause an internal error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const code = codeOf(() => parseJsonBody(Buffer.from(bytes)));
      assert.ok(['taken', 'invalid_json', 'invalid_request'].includes(code), code);
    }),
    { numRuns: 500 },
  );
});

test('NUL and lone surrogates are refused with their place, wherever they stand; surrogate pairs are not', () => {
  const escaped = '{"a":{"b":["ok","\\ud800"]},"c":"\\u0000","\\udc00":1,"d":"\\ud83e\\udd8a"}';
  try {
    parse(escaped);
    assert.fail('taken');
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    const places = error.details.map((fault) => (fault as { param: string | null }).param);
    assert.deepEqual(new Set(places), new Set(['a.b[1]', 'c', null]));
  }
  assert.deepEqual(parse('{"d":"\\ud83e\\udd8a"}'), { d: '🦊' });
});

test('a number that JSON allows and a double cannot hold is refused with its place', () => {
  assert.throws(() => parse('{"seed":1e400}'), {
    code: 'invalid_request',
    param: 'seed',
    message: 'seed is outside the range of a 64-bit float (about ±1.8e308).',
  });
  assert.throws(() => parse('{"a":[1,{"b":-1e999}]}'), { param: 'a[1].b' });
});

test('at most a hundred faults of a body are reported', () => {
  const full = `{"a":[${Array.from({ length: 1000 }, () => '"\\u0000"').join()}]}`;
  assert.throws(
    () => parse(full),
    (error) => error instanceof ServiceError && error.details.length === 100,
  );
});

test('a body that is not JSON is refused with the reason', () => {
  assert.throws(() => parse('{"prompt": fox}'), { code: 'invalid_json', message: /position 12 / });
  assert.throws(() => parse('{"prompt": '), { code: 'invalid_json', message: /ends too early/ });
});
