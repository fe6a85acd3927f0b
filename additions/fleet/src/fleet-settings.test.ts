import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { FLEET_SETTINGS } from './fleet-settings.ts';

test('NATS needs a PostgreSQL database, which is told with the other addresses that need one', () => {
  const alone = {
    DARKROOM_DATABASE_LISTEN_URL: 'postgres://ann:hidden@db.example.com/darkroom',
    DARKROOM_NOTICES_URL: 'nats://ann:hidden@nats.example.com',
  };
  assert.deepEqual(Object.keys(faultsOf(alone)), Object.keys(alone));
  assert.doesNotMatch(JSON.stringify(faultsOf(alone)), /hidden/);
});

test('DARKROOM_NOTICES_URL names up to eight servers of NATS, with a user and a password or a token', () => {
  for (const url of [
    'nats://a',
    'nats://a:4222/',
    'tls://a:4222,b,[::1]:4223',
    'nats://token@a',
    'tls://ann:p%40ss@a,b',
    `nats://${'a,'.repeat(7)}a`,
  ])
    assert.equal(
      loadConfig({ DARKROOM_DATABASE_URL: 'postgres://a/b', DARKROOM_NOTICES_URL: url }).of(FLEET_SETTINGS).noticesUrl,
      url,
    );
  for (const url of [
    'a:4222',
    'nats://',
    'redis://a',
    'nats://a,',
    'nats://a:99999',
    'nats://a/prefix',
    'nats://a?tls=true',
    'nats://:hidden@a',
    'nats://ann:hidden:more@a',
    'nats://ann:hidden%zz@a',
    'nats://ann:hidden@a,ann:hidden@b',
    `nats://${'a,'.repeat(8)}a`,
  ]) {
    const { DARKROOM_NOTICES_URL: fault } = faultsOf({
      DARKROOM_DATABASE_URL: 'postgres://a/b',
      DARKROOM_NOTICES_URL: url,
    });
    assert.match(fault ?? '', /^expected a URL such as nats:.*, found something else$/, url);
  }
});
