import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cutText, decodeText } from '@darkroom-service/contract';
import { plainValue } from './environment.ts';

/** An engine or a server in a JSON file in which an operator lists them. */
export type Entry = Readonly<Record<string, unknown>>;

/**
 * Reads the one list of a file.
 * @param messages receives the faults
 */
export function entriesOf(
  { field, example }: { readonly field: string; readonly example: string },
  path: string,
  directory: string,
  messages: string[],
): readonly unknown[] {
  let found: unknown;
  try {
    found = JSON.parse(decodeText(readFileSync(resolve(directory, path)), path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The parser's own message repeats the text around the fault, which may be a key.
    if (error instanceof SyntaxError) messages.push(`${path}: expected a JSON file; found a text that is no JSON`);
    else messages.push(code === undefined ? message : `${path}: expected a JSON file; it cannot be read (${code})`);
    return [];
  }
  const { [field]: list, ...others } = isEntry(found) ? found : {};
  for (const name of Object.keys(others)) messages.push(`${path}: unknown field ${name}. Accepted fields: ${field}.`);
  if (Array.isArray(list)) return list;
  messages.push(`${path}: expected an object such as {"${field}": [${example}]}`);
  return [];
}

/**
 * Replaces `${NAME}` in texts, also within lists and objects, by the environment.
 * @param kept names that are left as they are
 */
export function withVariables(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  fault: (why: string) => void,
  kept: readonly string[] = [],
): unknown {
  const inner = (item: unknown) => withVariables(item, environment, fault, kept);
  if (Array.isArray(value)) return value.map(inner);
  if (isEntry(value)) return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner(item)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) => {
    if (kept.includes(name)) return whole;
    const text = plainValue(environment[name] ?? '');
    if (text) return text;
    fault(`expected the environment variable ${name} of \${${name}} to be set`);
    return whole;
  });
}

/** Tells whether a value is an object with fields. */
export function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Shows a value in a fault, shortened. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : cutText(JSON.stringify(value) ?? 'nothing', 60);
}
