import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createVault } from '../../base/vault.ts';
import { type SealedKey, subjectOf } from '../../routing/upstream-keys.ts';
import { loadConfig } from '../config/config.ts';
import { diagnoseUpstreamKeys } from './diagnose-upstream-keys.ts';

test("doctor tells which upstream keys the operator's keys open, and what to do", () => {
  const [before, now] = [randomBytes(32), randomBytes(32)];
  const sealed = [before, now].map((key, index): SealedKey => {
    const row = { id: `upk_${index}`, account_id: 'acme', engine: 'fal', sealed: null };
    return { ...row, sealed: createVault(key, null).seal('a secret of a customer', subjectOf(row)) };
  });
  const diagnosed = (environment: Record<string, string>) => {
    const { status, found, advice } = diagnoseUpstreamKeys(loadConfig(environment), sealed);
    return [status, found, advice?.slice(0, 30) ?? null];
  };
  const [old, fresh] = [before.toString('base64'), now.toString('base64')];
  assert.deepEqual(diagnosed({}), [
    'failed',
    '2 of 2 cannot be opened; their orders fail',
    'Set DARKROOM_SECRETS_KEY to th',
  ]);
  assert.equal(diagnosed({ DARKROOM_SECRETS_KEY: fresh })[1], '1 of 2 cannot be opened; their orders fail');
  assert.deepEqual(diagnosed({ DARKROOM_SECRETS_KEY: fresh, DARKROOM_SECRETS_KEY_PREVIOUS: old }), [
    'warning',
    '2 can be opened, 1 of them with DARKROOM_SECRETS_KEY_PREVIOUS only',
    'Keep the key before: a running',
  ]);
  const [, own] = sealed;
  assert.ok(own);
  assert.equal(diagnoseUpstreamKeys(loadConfig({ DARKROOM_SECRETS_KEY: fresh }), [own]).status, 'ok');
});

test('a bad key of the operator stops the start without being repeated', () => {
  assert.throws(
    () => loadConfig({ DARKROOM_SECRETS_KEY: 'no-key-at-all' }),
    (error: Error) =>
      /DARKROOM_SECRETS_KEY: expected 32 bytes in base64/.test(error.message) &&
      !error.message.includes('no-key-at-all'),
  );
  assert.throws(
    () => loadConfig({ DARKROOM_SECRETS_KEY_PREVIOUS: randomBytes(32).toString('base64') }),
    /expected DARKROOM_SECRETS_KEY too/,
  );
});
