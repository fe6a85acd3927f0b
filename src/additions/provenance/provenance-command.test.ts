import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installation } from '../../../test/run-darkroom.ts';

test('the setting of an account is shown and changed on the command line, and doctor says how outputs are marked', async (t) => {
  const { run, json } = await installation(t);
  await json('accounts', 'create', 'acme');
  const command = ['accounts', 'provenance', 'acme'];
  assert.deepEqual(await json(...command), { account_id: 'acme', setting: null, prompt: false });
  const changed = { account_id: 'acme', setting: 'metadata', prompt: true };
  assert.deepEqual(await json(...command, 'metadata', '--prompt'), changed);
  assert.deepEqual(await json(...command), changed);
  const unsigned = await run(...command, 'c2pa');
  assert.equal(unsigned.code, 1);
  assert.match(unsigned.stderr, /'c2pa' needs DARKROOM_PROVENANCE_CERTIFICATE/);
  assert.equal((await run(...command, 'sometimes')).code, 2);
  assert.deepEqual(await json(...command, 'default'), { account_id: 'acme', setting: null, prompt: false });
  assert.match((await run('doctor')).stdout, /provenance +metadata for what is made here, off for the rest/);
});
