import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../base/errors.ts';
import { parseJsonBody } from './json-body.ts';

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
      if (/\\u0000|\\ud[89a-f]/.test(text))
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

test('whatever bytes come, they are taken or refused, and never break anything', () => {
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

test('64 levels are taken, more are not, and a million break nothing', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  assert.equal(
    codeOf(() => parse(nested(64))),
    'taken',
  );
  assert.equal(
    codeOf(() => parse(nested(65))),
    'invalid_request',
  );
  assert.equal(
    codeOf(() => parse(nested(1_000_000))),
    'invalid_request',
  );
});

test('of a body that holds nothing but faults a hundred are told', () => {
  const full = `{"a":[${Array.from({ length: 1000 }, () => '"\\u0000"').join()}]}`;
  assert.throws(
    () => parse(full),
    (error) => error instanceof ServiceError && error.details.length === 100,
  );
});

test('a body that is no JSON is refused with what stands in the way', () => {
  assert.throws(() => parse('{"prompt": fox}'), { code: 'invalid_json', message: /Unexpected token 'o'/ });
  assert.throws(() => parse('{"prompt": '), { code: 'invalid_json', message: /end of JSON input/ });
});
