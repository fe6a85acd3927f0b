import type { Engine } from './engine.ts';
import { BATCH_VENDORS, batchEngineOf, VENDORS } from './vendor-descriptors.ts';

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
  ...Object.fromEntries(BATCH_VENDORS.map((name) => [batchEngineOf(name), VENDORS[name].batchLimits])),
  'azure-openai': { floor: 5, ceiling: 200 },
  vertex: { floor: 5, ceiling: 200 },
};

/**
 * Checks per minute by engine name, of the vendors that publish a limit of reads per account. A tenth is left for
 * cancels, probes and uploads. Replicate: 3,000 requests per minute besides those that order (its page of rate limits).
 */
const CHECKS_PER_MINUTE: Readonly<Record<string, number>> = { replicate: 2_700 };

/** Returns the engine with the operator's bounds, or else its vendor's, and with the vendor's limit of checks. */
export function withLimits(engine: Engine, configured: ConcurrencyBounds | null): Engine {
  const bounds = configured ?? DEFAULT_LIMITS[engine.name];
  const checksPerMinute = CHECKS_PER_MINUTE[engine.name];
  const checks = checksPerMinute === undefined ? {} : { checksPerMinute };
  if (bounds === undefined) return { ...engine, ...checks };
  const concurrency = Math.min(bounds.ceiling, Math.max(bounds.floor, engine.concurrency));
  return { ...engine, ...checks, concurrency, ...(bounds.floor === bounds.ceiling ? {} : { adapts: bounds }) };
}
