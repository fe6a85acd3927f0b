import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { apiTypes } from '../console/api-types.ts';
import { formFields } from '../console/form-fields.ts';
import { operationRoles } from '../console/operation-roles.ts';
import { readDeclaredRoles } from './helpers/declared-roles.ts';
import { startTestService } from './helpers/service.ts';

test("the console's types, forms and roles match the interface: otherwise run `npm run console:types`", async (t) => {
  const service = await startTestService(t);
  const { body } = await service.call(null, 'GET', '/openapi.json');
  const folder = join(import.meta.dirname, '../console/src/api');
  assert.equal(await readFile(join(folder, 'types.ts'), 'utf8'), await apiTypes(body));
  assert.equal(await readFile(join(folder, 'form-fields.ts'), 'utf8'), formFields(body));
  const roles = operationRoles(await readDeclaredRoles(t));
  assert.equal(await readFile(join(folder, 'operation-roles.ts'), 'utf8'), roles);
});
