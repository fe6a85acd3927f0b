import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiTypes } from '../console/api-types.ts';
import { formFields } from '../console/form-fields.ts';
import { operationRoles } from '../console/operation-roles.ts';
import { readDeclaredRoles } from './helpers/declared-roles.ts';
import { startTestService } from './helpers/service.ts';

/** `npm run console:types`: brings the console's types and forms of the interface up to date with the interface. */
const closers: (() => Promise<void> | void)[] = [];
const run = { after: (close: unknown) => void closers.push(close as () => Promise<void>) };
const service = await startTestService(run);
const { body } = await service.call(null, 'GET', '/openapi.json');
const folder = join(import.meta.dirname, '../console/src/api');
await writeFile(join(folder, 'types.ts'), await apiTypes(body));
await writeFile(join(folder, 'form-fields.ts'), formFields(body));
await writeFile(join(folder, 'operation-roles.ts'), operationRoles(await readDeclaredRoles(run)));
for (const close of closers) await close();
