import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { createVault } from '../../base/vault.ts';
import { diagnoseUpstreamKeys } from './diagnose-upstream-keys.ts';
import { type SealedKey, subjectOf } from './stored-keys.ts';

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
  assert.deepEqual(diagnosed({ DARKROOM_SECRETS_KEY: `${fresh},${old}` }), [
    'warning',
    '2 can be opened, 1 of them only with the second key of DARKROOM_SECRETS_KEY',
    'Keep the key before: a running',
  ]);
  const [, own] = sealed;
  assert.ok(own);
  assert.equal(diagnoseUpstreamKeys(loadConfig({ DARKROOM_SECRETS_KEY: fresh }), [own]).status, 'ok');
});

test('a bad key of the operator stops the start without being repeated', () => {
  const [one, two, three] = [32, 32, 32].map((bytes) => randomBytes(bytes).toString('base64'));
  for (const keys of ['no-key-at-all', `${one},no-key-at-all`, `${one},${two},${three}`])
    assert.throws(
      () => loadConfig({ DARKROOM_SECRETS_KEY: keys }),
      (error: Error) =>
        /DARKROOM_SECRETS_KEY: expected 32 bytes in base64/.test(error.message) &&
        keys.split(',').every((key) => !error.message.includes(key)),
    );
});
