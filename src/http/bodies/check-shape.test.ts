import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewUpstreamKey } from '@darkroom-service/contract/schemas';
import fc from 'fast-check';
import { compileShapeCheck } from './check-shape.ts';

test('no value of a field that is marked secret is quoted by a refusal', () => {
  const check = compileShapeCheck({ schema: NewUpstreamKey, httpPart: 'body', method: 'PUT', url: '/' });
  const odd = fc.string({ minLength: 8, maxLength: 60 }).map((text) => `sk-REALSECRET${text}\n`);
  fc.assert(
    fc.property(
      fc.oneof(
        odd,
        odd.map((text) => [text]),
        odd.map((text) => ({ text })),
      ),
      (secret) => {
        const { error } = check({ secret }) as { error?: { message: string; details: readonly object[] } };
        assert.ok(error);
        assert.match(error.message, /found a value that is not shown/);
        assert.doesNotMatch(error.message + JSON.stringify(error.details), /REALSECRET/);
      },
    ),
  );
});
