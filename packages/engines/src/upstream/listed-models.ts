import type { JsonValue } from '@darkroom-service/contract/json';
import { EngineError } from '../engine.ts';
import { objectOf } from './json-object.ts';

/**
 * Reads the names from a list of models: `id` or `name` of each entry.
 * @param list the entries, if the answer is what was expected
 * @throws EngineError if it is not
 */
export function namesIn(upstream: string, list: JsonValue | undefined): ReadonlySet<string> {
  if (!Array.isArray(list))
    throw new EngineError('upstream', `${upstream} answered no list of models`, { took: 'yes' });
  return new Set(
    list.flatMap((entry: JsonValue) => {
      const { id, name } = objectOf(entry);
      const found = id ?? name;
      return typeof found === 'string' ? [found.replace(/^models\//, '')] : [];
    }),
  );
}
