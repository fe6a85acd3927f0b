import type { JsonValue } from '@darkroom-service/contract';

/** Types of each path of an upstream's answers, such as `images[].url` → `string`. */
export type Shape = Readonly<Record<string, readonly string[]>>;

/** The known shapes of an upstream's answers, by method. */
export type KnownShapes = Readonly<Record<string, Readonly<Record<string, Shape>>>>;

/** Longer names are ids, such as the node numbers of a workflow. */
const MAX_PATHS = 300;

/** Returns the types by path of a JSON answer. Numeric and hexadecimal keys count as one. */
export function shapeOf(value: JsonValue): Shape {
  const types = new Map<string, Set<string>>();
  const record = (path: string, type: string) => {
    if (types.size < MAX_PATHS || types.has(path)) types.set(path, (types.get(path) ?? new Set()).add(type));
  };
  const walk = (one: JsonValue, path: string) => {
    if (Array.isArray(one)) {
      record(path, 'array');
      for (const inner of one) walk(inner, `${path}[]`);
    } else if (typeof one === 'object' && one !== null) {
      if (path !== '') record(path, 'object');
      for (const [name, inner] of Object.entries(one)) {
        const key = /^(\d+|[0-9a-f-]{8,})$/.test(name) ? '*' : name;
        walk(inner, path === '' ? key : `${path}.${key}`);
      }
    } else record(path, one === null ? 'null' : typeof one);
  };
  walk(value, '');
  return Object.fromEntries([...types].sort().map(([path, found]) => [path, [...found].sort()]));
}

/** Joins shapes: a path of either, with the types of both. */
export function joinShapes(one: Shape, other: Shape): Shape {
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  return Object.fromEntries(
    paths.map((path) => [path, [...new Set([...(one[path] ?? []), ...(other[path] ?? [])])].sort()]),
  );
}

/** Returns the parts of an answer that the known shapes lack: new fields, and other types. */
export function differences(answer: Shape, known: Shape): string[] {
  return Object.entries(answer).flatMap(([path, types]) => {
    const expected = known[path];
    if (expected === undefined) return [`new field ${path} (${types.join(' or ')})`];
    const others = types.filter((type) => type !== 'null' && !expected.includes(type));
    return others.length === 0 ? [] : [`${path} is ${others.join(' or ')}, expected ${expected.join(' or ')}`];
  });
}
