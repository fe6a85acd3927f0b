import type { JsonObject } from '@darkroom-service/contract';
import { isPresent, type Model, type ResolvedRequest } from '@darkroom-service/contract/catalog';

/**
 * Returns the request as responses show it: the values with their defaults. If exact pixels were sent, it omits the
 * defaults of resolution and ratio, which would contradict them.
 */
export function wireInput(model: Model, { action, values }: ResolvedRequest): JsonObject {
  if (action !== null) return values;
  const { conflicts, defaults } = model.compiled.fields;
  const overruled = conflicts
    .filter(({ name, what }) => what === 'the size' && values[name] !== 'auto')
    .filter(({ name }) => isPresent(values[name], defaults[name]))
    .map(({ other }) => other);
  if (overruled.length === 0) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !overruled.includes(name)));
}
