import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import type { ResolvedRequest } from '../../catalog/model.ts';
import type { RouteMap } from '../../catalog/route-map.ts';
import { holds, lookUpIn, readRule, rulesOf, setAt } from '../../catalog/route-values.ts';

export interface RouteWording {
  readonly parameters: RouteMap;
  readonly fixed: JsonObject;
}

/** A value that the upstream has no word for. */
export class UnsayableValue extends Error {
  constructor(source: string, value: JsonValue) {
    super(`${source} cannot be ${JSON.stringify(value)} there`);
    this.name = 'UnsayableValue';
  }
}

/**
 * A request in the words of the route's upstream: what is fixed, and what the map says. Nothing else is ever sent, and nothing that is null.
 * @param request with its media already handed over: the values hold what the upstream is to read.
 * @throws UnsayableValue
 */
export function mapParameters(request: Pick<ResolvedRequest, 'values' | 'derived'>, route: RouteWording): JsonObject {
  const input: { [key: string]: JsonValue } = {};
  for (const [path, value] of Object.entries(route.fixed)) setAt(input, path, structuredClone(value));
  const lookUp = lookUpIn(request);
  for (const named of rulesOf(route.parameters)) {
    if (!holds(named.rule.when, lookUp)) continue;
    const said = readRule(named, lookUp);
    if ('cannotSay' in said) throw new UnsayableValue(named.sources.join(', '), said.cannotSay);
    if (said.value !== undefined) setAt(input, said.to, said.value);
  }
  return input;
}
