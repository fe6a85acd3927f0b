import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../../../test/config-faults.ts';
import { loadConfig } from '../../../test/load-config.ts';

test('a pair of quotes around a value does not count, and a single one is refused by name', () => {
  const S3 = { AWS_ACCESS_KEY_ID: '"id"', AWS_SECRET_ACCESS_KEY: "'secret'", AWS_REGION: ' "eu" ' };
  const config = loadConfig({
    ...S3,
    OPENAI_API_KEY: '"sk-test-1234567890"',
    FAL_KEY: "' id:secret\n'",
    DARKROOM_DATABASE_URL: '"postgres://me:secret@db/darkroom"',
    DARKROOM_PORT: "'90'",
    DARKROOM_METRICS_PORT: '""',
  });
  assert.equal(config.upstreams.vendors.openai?.key, 'sk-test-1234567890');
  assert.equal(config.upstreams.fal?.key, 'id:secret');
  assert.deepEqual(config.s3, { region: 'eu', credentials: { accessKeyId: 'id', secretAccessKey: 'secret' } });
  assert.deepEqual(
    [config.databaseUrl, config.port, config.metricsPort],
    ['postgres://me:secret@db/darkroom', 90, null],
  );
  const faults = faultsOf({
    OPENAI_API_KEY: '"sk-hidden',
    FAL_KEY: '""id:hidden""',
    DARKROOM_DATABASE_URL: 'postgres://me:hidden@db/darkroom"',
    AWS_SECRET_ACCESS_KEY: "hidden'",
  });
  assert.equal(Object.keys(faults).length, 4);
  for (const message of Object.values(faults)) assert.match(message, /quotes/);
  assert.doesNotMatch(JSON.stringify(faults), /hidden/);
});
