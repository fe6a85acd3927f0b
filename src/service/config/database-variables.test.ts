import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/config-faults.ts';
import { loadConfig } from './config.ts';

test('a replica, an address to listen at and NATS need a database, and none of them is repeated in a fault', () => {
  const url = 'postgres://ann:hidden@db.example.com/darkroom';
  const addresses = { DARKROOM_DATABASE_LISTEN_URL: url, DARKROOM_DATABASE_REPLICA_URL: url };
  const alone = { ...addresses, DARKROOM_NOTICES_URL: 'nats://ann:hidden@nats.example.com' };
  assert.deepEqual(Object.keys(faultsOf(alone)), Object.keys(alone));
  assert.equal(loadConfig({ ...alone, DARKROOM_DATABASE_URL: url }).databaseReplicaUrl, url);
  const wrong = faultsOf({ DARKROOM_DATABASE_URL: url, DARKROOM_DATABASE_REPLICA_URL: 'mysql://ann:hidden@x' });
  assert.match(wrong.DARKROOM_DATABASE_REPLICA_URL ?? '', /^expected a URL such as postgres:/);
  assert.doesNotMatch(JSON.stringify([faultsOf(alone), wrong]), /hidden/);
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
    assert.equal(loadConfig({ DARKROOM_DATABASE_URL: 'postgres://a/b', DARKROOM_NOTICES_URL: url }).noticesUrl, url);
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
