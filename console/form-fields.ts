import type { Schema } from '../clients/typescript/src/generate/schema-type.ts';
import { type ApiDocument, HEADING, layOut } from './api-types.ts';
import type { FormField } from './src/api/form-field.ts';

/** The operations whose requests the console asks for in a form. */
const OPERATIONS = [
  'PATCH /admin/v1/keys/{key_id}',
  'PATCH /v1/account/keys/{key_id}',
  'PATCH /v1/account/members/{person_id}',
  'POST /admin/v1/engines/{name}/pause',
  'POST /admin/v1/hold',
  'POST /admin/v1/keys',
  'POST /admin/v1/models/{name}/pause',
  'POST /v1/account/keys',
  'PUT /v1/account/upstream_keys/{engine}',
  'PUT /v1/destinations/{name}',
];
/** The beginning of the pattern of an amount of dollars. */
const AMOUNT = /^\^(?:-\?)?\(\?:0\|\[1-9\]/;
const EMPTY: Schema = {};

/** Writes the fields of the console's forms: path parameters and body of their operations, by method and path. */
export function formFields({ paths, components }: ApiDocument): string {
  const resolve = (schema: Schema = EMPTY): Schema => components.schemas[schema.$ref?.split('/').pop() ?? ''] ?? schema;
  const forms = OPERATIONS.map((name) => {
    const [method = '', path = ''] = name.split(' ');
    const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? { responses: {} };
    const { properties = {}, required = [] } = resolve(requestBody?.content['application/json']?.schema);
    const inPath = parameters.filter((one) => one.in === 'path');
    return [
      name,
      Object.fromEntries([
        ...inPath.map((one) => [one.name, { ...fieldOf(one.name, one.schema), required: true, inPath: true }]),
        ...Object.entries(properties).map(([field, schema]) => {
          const isRequired = required.includes(field) ? { required: true } : {};
          return [field, { ...fieldOf(field, resolve(schema)), ...isRequired }];
        }),
      ]),
    ];
  });
  const text = JSON.stringify(Object.fromEntries(forms));
  const type = "import type { FormField } from './form-field.ts';";
  const about = '/** The fields of each form, by the operation that it asks for. */';
  const shape = 'satisfies Readonly<Record<string, Readonly<Record<string, FormField>>>>';
  return layOut(`${HEADING}\n\n${type}\n\n${about}\nexport const FORM_FIELDS = ${text} as const ${shape};`);
}

function fieldOf(name: string, schema: Schema): FormField {
  const options = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema];
  const [{ type, maxLength, properties, pattern = '', ...rest } = EMPTY] = options;
  const common = {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(options.length < (schema.anyOf?.length ?? 0) ? { nullable: true } : {}),
  };
  if (AMOUNT.test(pattern)) return { ...common, kind: 'amount' };
  if (/^secret/.test(name) && 'x-secret' in rest) return { ...common, kind: 'secret' };
  if (type === 'boolean') return { ...common, kind: 'flag' };
  if (type === 'integer') return { ...common, kind: 'count' };
  if (type === 'array') return { ...common, kind: 'patterns' };
  if (properties?.month !== undefined) {
    return { ...common, kind: 'windows', ...(properties.timezone === undefined ? {} : { zoned: true }) };
  }
  if (/_at$/.test(name)) return { ...common, kind: 'moment' };
  return { ...common, kind: 'text' };
}
