import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isOpen, type Schema, typeOfSchema } from '../clients/typescript/src/generate/schema-type.ts';

/** What the generator reads of the service's OpenAPI document. */
export interface ApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

const CONTRACT = '@darkroom-service/contract';
export const HEADING = '/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const ROOT = join(import.meta.dirname, '..');

/**
 * Writes what each operation of an OpenAPI document takes and returns, by method and path. Schemas that the contract
 * exports are referred to; the others are written out once.
 */
export async function apiTypes({ paths, components }: ApiDocument): Promise<string> {
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    METHODS.flatMap((method) => {
      const operation = byMethod[method];
      return operation === undefined ? [] : [`'${method.toUpperCase()} ${path}': ${typeOfOperation(operation)};`];
    }),
  );
  const map = `/** By method and path: what each operation accepts, and the \`data\` of its answer, or its whole \`answer\`. */
    export interface Operations { ${operations.join('\n')} }`;
  const known = await contractSchemas();
  const declared = new Map<string, string>();
  const declare = (text: string) => {
    for (const [name, schema] of Object.entries(components.schemas)) {
      if (declared.has(name) || !new RegExp(`\\b${name}\\b(?!['?]?:)`).test(text)) continue;
      const place = known.get(name);
      const type = place === undefined ? written(schema) : `Wire<typeof import('${CONTRACT}/schemas').${place}>`;
      declared.set(name, `type ${name} = ${type};`);
      if (place === undefined) declare(type);
    }
  };
  declare(map);
  const types = [...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, type]) => type);
  return layOut([HEADING, `import type { Wire } from '${CONTRACT}/parts';`, map, types.join('\n')].join('\n\n'));
}

function typeOfOperation({ parameters = [], requestBody, responses }: Operation): string {
  const query = parameters.filter((one) => one.in === 'query');
  const body = requestBody?.content['application/json']?.schema;
  const answers = [200, 201, 202].flatMap((status) => responses[status]?.content?.['application/json']?.schema ?? []);
  const data = answers.flatMap(({ properties }) => properties?.data ?? []);
  const members = [
    ...(query.length === 0 ? [] : [`readonly query?: { ${query.map(memberOf).join('; ')} }`]),
    ...(body === undefined ? [] : [`readonly body?: ${written(body)}`]),
    `readonly data: ${unionOf(data)}`,
    ...(answers.length === data.length ? [] : [`readonly answer: ${unionOf(answers)}`]),
  ];
  return `{ ${members.join('; ')} }`;
}

function memberOf({ name, schema, required = false }: Parameter): string {
  return `readonly ${name}${required ? '' : '?'}: ${written(schema)}`;
}

function unionOf(schemas: readonly Schema[]): string {
  return schemas.length === 0 ? 'unknown' : [...new Set(schemas.map(written))].join(' | ');
}

function written(schema: Schema): string {
  // The client offers `undefined` beside "left out"; the console leaves out.
  const type = typeOfSchema(schema).replaceAll(' | undefined', '');
  return isOpen(schema) && schema.properties !== undefined ? `${type} & { readonly [field: string]: unknown }` : type;
}

/** As the formatter lays the sources out. */
export function layOut(text: string): string {
  const command = [join(ROOT, 'node_modules/@biomejs/biome/bin/biome'), 'format', '--stdin-file-path=types.ts'];
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { cwd: ROOT, input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the formatter refused the types: ${stderr}`);
  return stdout;
}

/** The names under which the contract exports its schemas, by the names of their components. */
async function contractSchemas(): Promise<ReadonlyMap<string, string>> {
  const exported = Object.entries(
    (await import('@darkroom-service/contract/schemas')) as Readonly<Record<string, unknown>>,
  );
  return new Map(exported.flatMap(([name, value]) => (isNamed(value) ? [[value.$id, name] as const] : [])));
}

function isNamed(value: unknown): value is { readonly $id: string } {
  return typeof value === 'object' && value !== null && '$id' in value;
}
