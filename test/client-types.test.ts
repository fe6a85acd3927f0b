import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { clientTypes } from './clients/client-types.ts';
import { startTestService } from './helpers/service.ts';

test('the TypeScript client knows the interface and the catalog as they are: otherwise run `npm run client:types`', async (t) => {
  const files = await clientTypes(await startTestService(t));
  const known = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
  const old = files.filter(({ text }, index) => text !== known[index]).map(({ path }) => path);
  assert.deepEqual(old, []);
});
