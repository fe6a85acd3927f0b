import type { Engine } from './engine.ts';

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
  openai: { floor: 5, ceiling: 200 },
  kling: { floor: 2, ceiling: 100 },
  byteplus: { floor: 5, ceiling: 200 },
  google: { floor: 5, ceiling: 200 },
  xai: { floor: 5, ceiling: 200 },
  bfl: { floor: 5, ceiling: 200 },
  dashscope: { floor: 5, ceiling: 200 },
  ideogram: { floor: 2, ceiling: 100 },
  ltx: { floor: 2, ceiling: 50 },
  luma: { floor: 2, ceiling: 100 },
  minimax: { floor: 2, ceiling: 100 },
  pixverse: { floor: 2, ceiling: 100 },
  higgsfield: { floor: 1, ceiling: 100 },
  recraft: { floor: 2, ceiling: 100 },
  runway: { floor: 2, ceiling: 100 },
  vidu: { floor: 2, ceiling: 100 },
  'azure-openai': { floor: 5, ceiling: 200 },
  vertex: { floor: 5, ceiling: 200 },
  'comfy-router': { floor: 5, ceiling: 200 },
  openrouter: { floor: 5, ceiling: 200 },
};

/** Returns the engine with the operator's bounds, or else its vendor's. */
export function withLimits(engine: Engine, configured: ConcurrencyBounds | null): Engine {
  const bounds = configured ?? DEFAULT_LIMITS[engine.name];
  if (bounds === undefined) return engine;
  const concurrency = Math.min(bounds.ceiling, Math.max(bounds.floor, engine.concurrency));
  return { ...engine, concurrency, ...(bounds.floor === bounds.ceiling ? {} : { adapts: bounds }) };
}
