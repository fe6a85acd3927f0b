/** The parts of a JSON Schema that the generators read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly description?: string | undefined;
}

/** Writes the TypeScript type of the values that a JSON Schema accepts. */
export function typeOfSchema(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal));
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return unionOf(options.map(typeOfSchema));
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOfSchema({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return typeOfArray(schema);
    case 'object':
      return typeOfObject(schema);
    default:
      return 'unknown';
  }
}

/** Writes the members of an object type, one per line, with their descriptions. */
export function membersOf(members: readonly Member[], indent: string): string {
  return members
    .map(({ name, type, optional, description }) => {
      const note = description === undefined ? '' : `${commentOf(description, indent)}\n`;
      return `${note}${indent}readonly ${nameOf(name)}${optional ? '?' : ''}: ${type};`;
    })
    .join('\n');
}

export function membersOfSchema(schema: Schema): Member[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    // Callers under exactOptionalPropertyTypes may still pass undefined.
    type: required.has(name) ? typeOfSchema(property) : `${typeOfSchema(property)} | undefined`,
    optional: !required.has(name),
    description: property.description,
  }));
}

export function commentOf(text: string, indent: string): string {
  return `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim()} */`;
}

export function unionOf(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ');
}

/** Whether an object may have members that its schema does not name. */
export function isOpen(schema: Schema): boolean {
  return schema.additionalProperties === true;
}

function typeOfArray({ prefixItems, items }: Schema): string {
  if (prefixItems !== undefined) return `readonly [${prefixItems.map(typeOfSchema).join(', ')}]`;
  const item = items === undefined ? 'unknown' : typeOfSchema(items);
  return `readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`;
}

function typeOfObject(schema: Schema): string {
  const members = membersOfSchema(schema);
  const [rest] = Object.values(schema.patternProperties ?? {});
  const values = rest ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  if (members.length === 0)
    return `{ readonly [name: string]: ${values === undefined ? 'unknown' : typeOfSchema(values)} }`;
  const inner = members.map(({ name, type, optional }) => `readonly ${nameOf(name)}${optional ? '?' : ''}: ${type}`);
  return `{ ${inner.join('; ')} }`;
}

function literal(value: unknown): string {
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);
}

function nameOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}
