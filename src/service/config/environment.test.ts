import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultsOf } from '../../../test/helpers/config-faults.ts';
import { loadConfig } from '../../../test/helpers/load-config.ts';
import { temporaryDirectory } from '../../../test/helpers/temporary-directory.ts';
import { ConfigFault } from './config-fault.ts';
import { readEnvironment } from './environment.ts';

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

test('a byte order mark of .env is skipped, and another encoding than UTF-8 stops the start without repeating it', async () => {
  const directory = await temporaryDirectory('darkroom-env-');
  const write = (content: string | Buffer) => writeFile(join(directory, '.env'), content);
  const text = 'DARKROOM_PORT=9080\r\nFAL_KEY="geh\u00e4im:hidden"\r\n';
  await write(`\ufeff${text}`);
  assert.deepEqual(
    { ...readEnvironment(directory, { HOME: '/' }) },
    {
      DARKROOM_PORT: '9080',
      FAL_KEY: 'geh\u00e4im:hidden',
      HOME: '/',
    },
  );
  for (const [content, found] of [
    [Buffer.from(`\ufeff${text}`, 'utf16le'), /found UTF-16\. Save it as UTF-8/],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), /found UTF-16\. Save it as UTF-8/],
    [Buffer.from('PORT=1', 'utf16le'), /found NUL characters, as UTF-16 has them/],
    [Buffer.from(text, 'latin1'), /found another encoding, such as Windows-1252/],
  ] as const) {
    await write(content);
    assert.throws(
      () => readEnvironment(directory, {}),
      (error) => error instanceof ConfigFault && found.test(error.message) && !/hidden/.test(error.message),
    );
  }
});
