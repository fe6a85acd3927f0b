import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

const CONTRACT = '@darkroom-service/contract';
const HEADING = [
  '/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */',
  `import type { Wire } from '${CONTRACT}/parts';`,
  '',
].join('\n\n');
const SCHEMA = '#/components/schemas/';

/**
 * Turns an OpenAPI document into TypeScript: `paths` by address and method. The named schemas of the contract are
 * referred to where it exports them.
 */
export async function apiTypes(document: object): Promise<string> {
  const known = await contractSchemas();
  const nodes = await openapiTypes(document as OpenAPI3, {
    alphabetize: true,
    silent: true,
    transform(_, { path = '' }) {
      const place = path.startsWith(SCHEMA) ? known.get(path.slice(SCHEMA.length)) : undefined;
      return place === undefined
        ? undefined
        : ts.factory.createTypeReferenceNode(`Wire<typeof import('${CONTRACT}/${place}>`);
    },
  });
  return `${HEADING}${astToString(nodes)}`;
}

/** Where the contract exports its named schemas, by their names: `task').Task`. */
async function contractSchemas(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(import.meta.dirname, '../packages/contract/package.json'), 'utf8');
  const { exports } = JSON.parse(text) as { readonly exports: object };
  const places = new Map<string, string>();
  for (const entry of Object.keys(exports)) {
    const module = entry.replace('./', '');
    const exported = Object.entries((await import(`${CONTRACT}/${module}`)) as Readonly<Record<string, unknown>>);
    for (const [name, value] of exported) if (isNamed(value)) places.set(value.$id, `${module}').${name}`);
  }
  return places;
}

function isNamed(value: unknown): value is { readonly $id: string } {
  return typeof value === 'object' && value !== null && '$id' in value;
}
