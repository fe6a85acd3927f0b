import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import {
  holds,
  lookUpIn,
  type ResolvedRequest,
  type RouteMap,
  readRule,
  rulesOf,
  setAt,
} from '@darkroom-service/contract/catalog';

interface RouteWording {
  readonly parameters: RouteMap;
  readonly fixed: JsonObject;
}

/** A value that the upstream cannot express. */
export class UnsupportedValue extends Error {
  constructor(source: string, value: JsonValue) {
    super(`${source} cannot be ${JSON.stringify(value)} there`);
    this.name = 'UnsupportedValue';
  }
}

/**
 * Translates a request for the route's upstream: the route's fixed values, and the values that its map names. Nothing
 * else is sent, and no nulls.
 * @param request with media already handed over: its values are what the upstream reads.
 * @throws UnsupportedValue
 */
export function mapParameters(request: Pick<ResolvedRequest, 'values' | 'derived'>, route: RouteWording): JsonObject {
  const input: { [key: string]: JsonValue } = {};
  for (const [path, value] of Object.entries(route.fixed)) setAt(input, path, structuredClone(value));
  const lookUp = lookUpIn(request);
  for (const named of rulesOf(route.parameters)) {
    if (!holds(named.rule.when, lookUp)) continue;
    const mapped = readRule(named, lookUp);
    if ('unsupported' in mapped) throw new UnsupportedValue(named.sources.join(', '), mapped.unsupported);
    if (mapped.value !== undefined) setAt(input, mapped.to, mapped.value);
  }
  return input;
}
