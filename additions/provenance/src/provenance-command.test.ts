import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runDarkroom } from '../../../test/helpers/run-darkroom.ts';
import { startTestService } from '../../../test/helpers/service.ts';

test('the setting of an account is shown and changed on the command line, and doctor says how outputs are marked', async (t) => {
  const { config } = await startTestService(t);
  const variables = {
    DARKROOM_DATA_DIR: config.dataDirectory,
    ...(config.databaseUrl === null ? {} : { DARKROOM_DATABASE_URL: config.databaseUrl }),
  };
  const run = (...words: string[]) => runDarkroom(words, variables, config.dataDirectory);
  const command = ['accounts', 'provenance', 'default'];
  const json = async (...words: string[]) => JSON.parse((await run(...command, ...words, '--json')).stdout);
  assert.deepEqual(await json(), { account_id: 'default', setting: null, prompt: false });
  const changed = { account_id: 'default', setting: 'metadata', prompt: true };
  assert.deepEqual(await json('metadata', '--prompt'), changed);
  assert.deepEqual(await json(), changed);
  const unsigned = await run(...command, 'c2pa');
  assert.equal(unsigned.code, 1);
  assert.match(unsigned.stderr, /'c2pa' needs DARKROOM_PROVENANCE_CERTIFICATE/);
  assert.equal((await run(...command, 'sometimes')).code, 2);
  assert.deepEqual(await json('default'), { account_id: 'default', setting: null, prompt: false });
  assert.match((await run('doctor')).stdout, /provenance\W+metadata for what is made here, off for the rest/);
});
