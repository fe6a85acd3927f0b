import { decodeText, type JsonValue } from '@darkroom-service/contract';
import type { CallbackNews } from '../callback.ts';
import { objectOf } from './json-object.ts';
import { statusWord } from './status-word.ts';

/**
 * Reads the state in a callback of an upstream that calls at each change and signs nothing. Everything except a known
 * state of an unfinished order counts as the end: a check then tells.
 * @param fields the names under which the state may be found
 * @param working the words, in small letters, for an order that has not ended
 */
export function newsIn(body: Uint8Array, fields: readonly string[], working: readonly string[]): CallbackNews {
  const fieldsOfBody = objectOf(parsed(body));
  const state = fields.map((field) => fieldsOfBody[field]).find((value) => value !== undefined);
  return working.includes(statusWord(state)) ? 'running' : 'ended';
}

function parsed(body: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(decodeText(body, 'the callback')) as JsonValue;
  } catch {
    return undefined;
  }
}
