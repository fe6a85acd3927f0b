type Node = Readonly<Record<string, unknown>>;

/**
 * Lists the places of a JSON Schema that a request can fill without end: texts, lists and objects with names of the
 * sender's choice that have no limit.
 * @param resolve returns what a `$ref` leads to
 */
export function unboundedPlaces(schema: unknown, resolve: (reference: string) => unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((part) => unboundedPlaces(part, resolve, at));
  const node = schema as Node;
  if (typeof node.$ref === 'string') return unboundedPlaces(resolve(node.$ref), resolve, at);
  const types = [node.type].flat();
  const isFixed = node.enum !== undefined || node.const !== undefined;
  const isEndless =
    (types.includes('string') && !isFixed && node.maxLength === undefined && node.format !== 'binary') ||
    (types.includes('array') && node.maxItems === undefined) ||
    (types.includes('object') && isOpen(node) && node.maxProperties === undefined);
  return [
    ...(isEndless ? [`${at === '' ? '(all)' : at}: ${String(node.type)}`] : []),
    ...membersOf(node).flatMap(([name, part]) => unboundedPlaces(part, resolve, `${at}${name}`)),
  ];
}

/** Whether the sender may choose names of fields. An object that only adds to another one has no type of its own. */
function isOpen({ additionalProperties, patternProperties }: Node): boolean {
  return additionalProperties !== false || patternProperties !== undefined;
}

function membersOf(node: Node): [string, unknown][] {
  const named = (value: unknown) =>
    Object.entries((value ?? {}) as Node).map(([name, part]): [string, unknown] => [`.${name}`, part]);
  return [
    ...named(node.properties),
    ...named(node.patternProperties),
    ['.*', node.additionalProperties],
    ['[]', node.items],
    ['[]', node.prefixItems],
    ['', [node.anyOf, node.oneOf, node.allOf, node.then, node.else]],
  ];
}
