import type { Config } from '../../kernel.ts';

/**
 * Returns the names of engines whose orders go to another address than the vendor's own, such as a compatible server:
 * the facts about the vendor do not hold there.
 */
export function movedEngines({
  upstreams,
  engineInstances,
}: Pick<Config, 'upstreams' | 'engineInstances'>): Set<string> {
  const moved = movedOf(upstreams);
  for (const { name, upstreams: own } of engineInstances) if (own !== null && movedOf(own).length > 0) moved.push(name);
  // Its batch interface is an engine of its own.
  return new Set(moved.flatMap((name) => [name, `${name}-batch`]));
}

function movedOf({ vendors, ...others }: Config['upstreams']): string[] {
  return Object.entries({ ...others, ...vendors }).flatMap(([name, upstream]) =>
    upstream !== null && 'url' in upstream && upstream.url !== null ? [name] : [],
  );
}
