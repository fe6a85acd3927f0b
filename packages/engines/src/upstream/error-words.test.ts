import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { subjectOf, textsIn } from './error-words.ts';

test('an upstream that says it is understood', () => {
  const said: readonly (readonly [string, ReturnType<typeof subjectOf>])[] = [
    ['Your request was rejected by our safety system.', 'content_policy'],
    ['Request Moderated', 'content_policy'],
    ['The prompt was flagged as sensitive', 'content_policy'],
    ['You do not have enough credits to run this task.', 'billing'],
    ['User is locked. Reason: Exhausted balance.', 'billing'],
    ['Incorrect API key provided: sk-…', 'auth'],
    ["The model 'acme-1' does not exist.", 'model'],
    ['invalid param: model', 'model'],
    ['ModelUnavailable', 'model'],
    ['safety_tolerance must be at most 6', null],
    ["Invalid value for 'moderation'", null],
    ['The model does not support a duration of 20 s', null],
    ['The image must be smaller', null],
  ];
  for (const [message, subject] of said) assert.equal(subjectOf(message, []), subject, message);
});

test('a word that the order has too still counts where it is not quoted', () => {
  assert.equal(subjectOf('NSFW content detected', ['a fox, nsfw']), 'content_policy');
  assert.equal(subjectOf('Request Moderated', ['a debate, moderated by a fox']), 'content_policy');
});

test('no text of an order, whole or cut off, says what its refusal is about', () => {
  const traps = fc.constantFrom(
    'insufficient credits',
    'filter coffee',
    'invalid api key',
    'flagged by moderation',
    'unknown model',
    'a fox',
    'the model is not available',
    'our safety system',
    'no\n balance',
    'Content-Policy',
    'violates the rules',
  );
  const prompts = fc
    .array(fc.oneof(traps, fc.string()), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(prompts, fc.nat(200), (prompt, length) => {
      const written = textsIn({ model: 'acme-1', input: { prompt, list: [{ text: prompt }] } });
      assert.equal(subjectOf(`The prompt "${prompt}" is too long`, written), null);
      assert.equal(subjectOf(`Too long: "${prompt.slice(0, length)}…"`, written), null);
    }),
    { numRuns: 500 },
  );
});
