import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiTypes } from '../console/api-types.ts';
import { startTestService } from './helpers/service.ts';

test("the console's types match the interface: otherwise run `npm run console:types`", async (t) => {
  const service = await startTestService(t);
  const { body } = await service.call(null, 'GET', '/openapi.json');
  const known = await readFile(join(import.meta.dirname, '../console/src/api/types.ts'), 'utf8');
  assert.equal(known, await apiTypes(body));
});
