import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';

test('a replica and an address to listen at need a database, and neither is repeated in a fault', () => {
  const url = 'postgres://ann:hidden@db.example.com/darkroom';
  const alone = { DARKROOM_DATABASE_LISTEN_URL: url, DARKROOM_DATABASE_REPLICA_URL: url };
  assert.deepEqual(Object.keys(faultsOf(alone)), Object.keys(alone));
  assert.equal(loadConfig({ ...alone, DARKROOM_DATABASE_URL: url }).databaseReplicaUrl, url);
  const wrong = faultsOf({ DARKROOM_DATABASE_URL: url, DARKROOM_DATABASE_REPLICA_URL: 'mysql://ann:hidden@x' });
  assert.match(wrong.DARKROOM_DATABASE_REPLICA_URL ?? '', /^expected a URL such as postgres:/);
  assert.doesNotMatch(JSON.stringify([faultsOf(alone), wrong]), /hidden/);
});
