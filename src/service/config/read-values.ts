import { nearestName } from '@darkroom-service/contract';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { splitList, wordingOf } from './config-variables.ts';
import { type Environment, QUOTED } from './environment.ts';
import type { VariableFault } from './variable-types.ts';

/** User and password of a URL, which must not be logged. */
const CREDENTIALS = /\/\/[^/]*@/;

/** Used by commands that call a running service, not by the service. */
const CLIENT_VARIABLES = ['DARKROOM_URL', 'DARKROOM_API_KEY', 'DARKROOM_MCP_BUDGET', 'DARKROOM_MCP_CONVERSATION'];

/**
 * Parses and checks each variable alone, and finds unknown names.
 * @param nameOf the name under which a variable was found
 * @returns the values, without those that are unset and have no default; wrong ones as they are
 */
export function readValues(
  variables: Readonly<Record<string, TSchema>>,
  texts: Environment,
  nameOf: (name: string) => string,
): { readonly values: Record<string, unknown>; readonly faults: VariableFault[] } {
  const faults = unknownVariables(texts, [...Object.keys(variables), ...CLIENT_VARIABLES]);
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(variables)) {
    const wording = wordingOf(schema);
    const found = texts[name];
    const isQuoted = found !== undefined && QUOTED.test(found);
    const value = readValue(found ?? String(wording.default ?? ''), wording.type);
    if (found !== undefined && (isQuoted || !Value.Check(schema, value))) {
      const isSecret = wording.secret === true || CREDENTIALS.test(found);
      const shown = isSecret ? `something else${isQuoted ? ' with quotes around it' : ''}` : JSON.stringify(found);
      faults.push({ variable: nameOf(name), message: `expected ${wording.expected}, found ${shown}` });
    }
    if (found !== undefined || wording.default !== undefined) values[name] = value;
  }
  return { values, faults };
}

/** Converts a text to the type. Other text stays a string, so that the check can report it. */
function readValue(text: string, type: string | undefined): unknown {
  if (type === 'array') return splitList(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if ((type === 'integer' || type === 'number') && /^\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}

function unknownVariables(texts: Environment, known: readonly string[]): VariableFault[] {
  return Object.keys(texts)
    .filter((name) => name.startsWith('DARKROOM_') && !known.includes(name))
    .map((variable) => {
      const nearest = nearestName(variable, known);
      const advice = nearest === null ? 'See docs/configuration.md for all settings.' : `Did you mean ${nearest}?`;
      return { variable, message: `there is no such setting. ${advice}` };
    });
}
