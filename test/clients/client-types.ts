import { join } from 'node:path';
import { type ApiDocument, interfaceTypes } from '../../clients/typescript/src/generate/interface-types.ts';
import { type CatalogModel, modelTypes } from '../../clients/typescript/src/generate/model-types.ts';
import type { TestService } from '../helpers/service.ts';

const FOLDER = join(import.meta.dirname, '../../clients/typescript/src/generated');
const HEADING = 'Generated from the catalog by `npm run client:types`. Do not edit.';

/** The files of the client that are written by a program, with their text as it should be. */
export async function clientTypes({
  call,
}: TestService): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const document = (await call(null, 'GET', '/openapi.json')).body as ApiDocument;
  const models = (await call(null, 'GET', '/v1/catalog')).data.items as readonly unknown[] as readonly CatalogModel[];
  return [
    { path: join(FOLDER, 'interface.ts'), text: interfaceTypes(document) },
    { path: join(FOLDER, 'models.ts'), text: modelTypes(models, HEADING) },
  ];
}
