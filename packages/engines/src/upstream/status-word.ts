import type { JsonValue } from '@darkroom-service/contract';

/** Returns a status in small letters: a word in another case is the same word. */
export function statusWord(status: JsonValue | undefined): string {
  return String(status).toLowerCase();
}
