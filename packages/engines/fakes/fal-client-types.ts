import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface TypedField {
  readonly required: boolean;
  /** Every text that the type allows; null = any. */
  readonly texts: readonly string[] | null;
}

/**
 * Reads the types of the endpoints' inputs that fal's own client ships, by the endpoint's full id. They exist only as
 * declarations, and the inputs of the fake only as data, so no compiler compares them.
 */
export function readClientTypes(): Readonly<Record<string, Readonly<Record<string, TypedField>>>> {
  const client = dirname(createRequire(import.meta.url).resolve('@fal-ai/client'));
  const text = readFileSync(join(client, 'types', 'endpoints.d.ts'), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '');
  const bodies = new Map(
    [...text.matchAll(/^export type (\w+) = \{\n([\s\S]*?)^\};/gm)].map(([, name = '', body = '']) => [name, body]),
  );
  const aliases = new Map(
    [...text.matchAll(/^export type (\w+) = (\w+);/gm)].map(([, name = '', other = '']) => [name, other]),
  );
  const bodyOf = (name: string): string | undefined => {
    const other = aliases.get(name);
    return other === undefined ? bodies.get(name) : bodyOf(other);
  };
  const endpoints = [...text.matchAll(/^ {4}"([\w./-]+)": \{\s*input: (\w+);/gm)];
  return Object.fromEntries(
    endpoints.flatMap(([, id = '', name = '']) => {
      const body = bodyOf(name);
      return body === undefined ? [] : [[id, fieldsIn(body)]];
    }),
  );
}

function fieldsIn(body: string): Readonly<Record<string, TypedField>> {
  const fields = [...body.matchAll(/^ {4}(\w+)(\??): ([\s\S]*?);$/gm)];
  return Object.fromEntries(
    fields.map(([, name = '', optional, type = '']) => {
      const isClosed = /^(?:\s*\|?\s*"[^"]*")+$/.test(type);
      const texts = isClosed ? [...type.matchAll(/"([^"]*)"/g)].map(([, one = '']) => one) : null;
      return [name, { required: optional === '', texts }];
    }),
  );
}
