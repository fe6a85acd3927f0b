import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { TrustedFetch } from '../net/trusted-fetch.ts';
import type { Engine } from './engine.ts';
import { createPainterPool } from './sketch/painter-pool.ts';
import { createSketchEngine } from './sketch/sketch-engine.ts';
import { openUpstreams, type Upstreams } from './upstreams.ts';

export interface EngineSettings {
  /** The only engines that may be on; null = every one that is configured. The built-in one is always there for test keys. */
  readonly only: readonly string[] | null;
  /** How many processes may paint at once. */
  readonly painters: number;
  readonly temporaryDirectory: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: TrustedFetch;
  readonly upstreams: Upstreams;
}

/** While one picture is painted the next one waits beside the painter, so that none of them idles. */
const TASKS_PER_PAINTER = 2;

/** Makes the engines that the settings name. Whoever opens them closes them. */
export function openEngines(settings: EngineSettings): ReadonlyMap<string, Engine> {
  const pool = createPainterPool({ size: settings.painters });
  const sketch = createSketchEngine({
    pool,
    temporaryDirectory: settings.temporaryDirectory,
    clock: settings.clock,
    concurrency: settings.painters * TASKS_PER_PAINTER,
  });
  const engines = new Map<string, Engine>([[sketch.name, { ...sketch, close: () => pool.close() }]]);
  const { clock, log, fetch, only } = settings;
  for (const { engine, variable } of openUpstreams(settings.upstreams, { clock, log, fetch })) {
    if (only?.includes(engine.name) === false) continue;
    engines.set(engine.name, engine);
    log.info({ engine: engine.name, variable }, `the engine ${engine.name} is on, because ${variable} is set`);
  }
  return engines;
}
