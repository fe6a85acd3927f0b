import { compile, type JSONSchema } from 'json-schema-to-typescript';

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JSONSchema>> };
}

interface OperationObject {
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: JSONSchema;
  }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

type Content = Readonly<Record<string, { readonly schema: JSONSchema } | undefined>>;

const HEADING = '/** Made from the OpenAPI document of the service by `npm run console:types`. Do not edit. */';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The interface as TypeScript: one member per operation, `'GET /v1/account'`, with its path, query, body and data. */
export async function apiTypes(document: OpenApi): Promise<string> {
  const properties: Record<string, JSONSchema> = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation !== undefined) properties[`${method.toUpperCase()} ${path}`] = describe(operation);
    }
  }
  const schema = {
    title: 'Api',
    ...objectOf(properties, Object.keys(properties)),
    definitions: document.components.schemas,
  };
  const local = JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', '#/definitions/'));
  return await compile(local, 'Api', {
    bannerComment: HEADING,
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  });
}

function describe(operation: OperationObject): JSONSchema {
  const { parameters = [], requestBody, responses } = operation;
  const members: Record<string, JSONSchema> = {};
  for (const place of ['path', 'query']) {
    const found = parameters.filter((parameter) => parameter.in === place);
    if (found.length === 0) continue;
    members[place] = objectOf(
      Object.fromEntries(
        found.map(({ name, schema, description }) => [name, { ...schema, description } as JSONSchema]),
      ),
      found.filter(({ required }) => required === true).map(({ name }) => name),
    );
  }
  const body = requestBody?.content['application/json']?.schema;
  if (body !== undefined) members.body = body;
  const answer = (responses['200'] ?? responses['201'])?.content?.['application/json']?.schema;
  const data = answer?.properties?.data;
  if (data !== undefined) members.data = data;
  return { ...objectOf(members, Object.keys(members)), description: operation.summary } as JSONSchema;
}

function objectOf(properties: Record<string, JSONSchema>, required: string[]): JSONSchema {
  return { type: 'object', properties, required, additionalProperties: false } as JSONSchema;
}
