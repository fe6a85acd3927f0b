import type { Engine } from './engine.ts';
import { VENDORS } from './vendor-descriptors.ts';

/** The bounds of an engine's concurrency limit. Equal bounds: the limit is fixed. */
export interface ConcurrencyBounds {
  readonly floor: number;
  readonly ceiling: number;
}

/**
 * Bounds by engine name, for vendors that publish no limit. Each limit starts at the engine's own number and adapts to
 * the upstream. Other engines keep their fixed number.
 */
export const DEFAULT_LIMITS: Readonly<Record<string, ConcurrencyBounds>> = {
  fal: { floor: 20, ceiling: 1_000 },
  replicate: { floor: 20, ceiling: 1_000 },
  ...Object.fromEntries(Object.entries(VENDORS).map(([name, { limits }]) => [name, limits])),
  'azure-openai': { floor: 5, ceiling: 200 },
  vertex: { floor: 5, ceiling: 200 },
};

/** Returns the engine with the operator's bounds, or else its vendor's. */
export function withLimits(engine: Engine, configured: ConcurrencyBounds | null): Engine {
  const bounds = configured ?? DEFAULT_LIMITS[engine.name];
  if (bounds === undefined) return engine;
  const concurrency = Math.min(bounds.ceiling, Math.max(bounds.floor, engine.concurrency));
  return { ...engine, concurrency, ...(bounds.floor === bounds.ceiling ? {} : { adapts: bounds }) };
}
