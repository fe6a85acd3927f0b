import { cutText, type JsonValue } from '@darkroom-service/contract';

/** Quotes a value for a message, shortened. */
export function describeValue(value: JsonValue | undefined): string {
  return cutText(JSON.stringify(value) ?? 'nothing', 60, '...');
}
