import type { Clock } from '@darkroom-service/contract';
import type { ConfiguredEngines, Engine, PictureTools } from '@darkroom-service/engines';
import { openInstances } from '@darkroom-service/engines/adapters';
import { createPainterPool } from '@darkroom-service/illustrator';
import type { TrustedFetch } from '@darkroom-service/media';
import type { Log } from '../base/log.ts';
import type { Observation } from './check.ts';
import { createSketchEngine } from './sketch/sketch-engine.ts';

export interface EngineSettings extends ConfiguredEngines {
  /**
   * The only engines that may be on; null = all configured ones. The built-in engine is always available to test keys.
   */
  readonly only: readonly string[] | null;
  /** Maximum number of processes that paint at once. */
  readonly painters: number;
  readonly temporaryDirectory: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: TrustedFetch;
  readonly pictures: PictureTools;
  /** Whether the built-in engine can make films, and the reason; absent = it can. */
  readonly films?: Observation;
}

/** Tasks per painter: one picture is painted while the next one waits, so that painters are never idle. */
const TASKS_PER_PAINTER = 2;

/** Creates the configured engines. The caller closes them. @throws OwnEngineFault */
export async function openEngines(settings: EngineSettings): Promise<ReadonlyMap<string, Engine>> {
  const pool = createPainterPool({ size: settings.painters });
  const sketch = createSketchEngine({
    pool,
    temporaryDirectory: settings.temporaryDirectory,
    clock: settings.clock,
    ...(settings.films === undefined ? {} : { films: settings.films }),
    concurrency: settings.painters * TASKS_PER_PAINTER,
  });
  const engines = new Map<string, Engine>([[sketch.name, { ...sketch, close: () => pool.close() }]]);
  const { clock, log, fetch, only, pictures } = settings;
  const tools = { clock, log, fetch, pictures };
  for (const { engine, variable } of await openInstances(settings, tools)) {
    if (only?.includes(engine.name) === false) continue;
    engines.set(engine.name, engine);
    log.info({ engine: engine.name, variable }, 'engine enabled');
  }
  return engines;
}
