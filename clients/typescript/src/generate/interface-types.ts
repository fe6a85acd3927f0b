import { commentOf, isOpen, membersOf, membersOfSchema, type Schema, typeOfSchema } from './schema-type.ts';

/** The parts of an OpenAPI document that the generator reads. */
export interface ApiDocument {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
    readonly description?: string;
  }[];
}

const HEADING = '/** Generated from the OpenAPI document of the service by `npm run client:types`. Do not edit. */\n';

/** Objects that only operators or probes see. */
const NOT_FOR_CUSTOMERS =
  /^(Admin|IssuedKey|RevokedKey|AuditAct|Reconciliation|ClosedCircuit|CatalogReload|Alive|Ready|Health)/;
/** Names that would hide one of the language or the platform. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody', File: 'UploadedFile' };

/** Writes one interface per object of the customers' part of the interface, and one per query. */
export function interfaceTypes({ components, paths }: ApiDocument): string {
  const objects = Object.entries(components.schemas)
    .filter(([name]) => !NOT_FOR_CUSTOMERS.test(name))
    .map(([name, schema]) => declare(RENAMED[name] ?? name, schema));
  const queries = Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/') && !path.endsWith('/events') && !path.endsWith('/content'))
    .flatMap(([, operations]) => queriesOf(operations));
  return `${HEADING}\n${[...objects, ...queries].join('\n\n')}\n`;
}

function queriesOf(operations: Readonly<Record<string, Operation>>): string[] {
  return Object.values(operations).flatMap(({ operationId, parameters }) => {
    const found = (Array.isArray(parameters) ? parameters : []).filter((one) => one.in === 'query');
    if (operationId === undefined || found.length === 0) return [];
    const members = found.map(({ name, schema, description }) => ({
      name,
      type: `${typeOfSchema(schema)} | undefined`,
      optional: true,
      description: description ?? schema.description,
    }));
    return [`export interface ${capital(operationId)}Query {\n${membersOf(members, '  ')}\n}`];
  });
}

function declare(name: string, schema: Schema): string {
  const comment = schema.description === undefined ? '' : `${commentOf(schema.description, '')}\n`;
  const rest = isOpen(schema) ? '\n  readonly [field: string]: unknown;' : '';
  const text = `${comment}export interface ${name} {\n${membersOf(membersOfSchema(schema), '  ')}${rest}\n}`;
  return Object.entries(RENAMED).reduce(
    (all, [from, to]) => all.replaceAll(new RegExp(`(: |\\| |readonly |<)${from}\\b(?=[;\\[ ,>])`, 'g'), `$1${to}`),
    text,
  );
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
