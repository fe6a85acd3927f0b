import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveryWithoutSecrets, secretsOfHeader, withoutSecrets } from './without-secrets.ts';

const KEY = 'sk-fakefakefakefake';

test('a result keeps its addresses, and its texts lose the key', () => {
  const output = { source: { url: `https://files.example/${KEY}` }, seed: 1, tiles: null };
  const told = { revisedPrompt: `a fox ${Buffer.from(KEY).toString('hex')}` };
  const { outputs, named } = deliveryWithoutSecrets(
    { outputs: [{ ...output, ...told }], named: { model: KEY, quality: 'high' } },
    [KEY],
  );
  assert.deepEqual(outputs, [{ ...output, revisedPrompt: 'a fox [key]' }]);
  assert.deepEqual(named, { model: '[key]', quality: 'high' });
});

test('of a header with user and password, both are secrets, also decoded', () => {
  const secrets = secretsOfHeader(`Basic ${Buffer.from('fox:den-of-the-fox').toString('base64')}`);
  const told = `Basic ${Buffer.from('fox:den-of-the-fox').toString('base64')} of fox:den-of-the-fox, den-of-the-fox`;
  assert.equal(withoutSecrets(told, secrets), 'Basic [key] of [key], [key]');
});
