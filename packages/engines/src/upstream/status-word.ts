import type { JsonValue } from '@darkroom-service/contract';

/** Returns a status in lower case, since upper and lower case mean the same. */
export function statusWord(status: JsonValue | undefined): string {
  return String(status).toLowerCase();
}
