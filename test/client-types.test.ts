import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { clientTypes } from './clients/client-types.ts';
import { startTestService } from './service.ts';

test('the TypeScript client knows the interface and the catalog as they are: otherwise run `npm run client:types`', async (t) => {
  for (const { path, text } of await clientTypes(await startTestService(t)))
    assert.equal(await readFile(path, 'utf8'), text, path);
});
