import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { TrustedFetch } from '../net/trusted-fetch.ts';
import type { Engine } from './engine.ts';
import { createFalEngine } from './fal/fal-engine.ts';
import { createReplicateEngine } from './replicate/replicate-engine.ts';
import { createPainterPool } from './sketch/painter-pool.ts';
import { createSketchEngine } from './sketch/sketch-engine.ts';

export interface EngineSettings {
  /** The only engines that may be on; null = every one that is configured. The built-in one is always there for test keys. */
  readonly only: readonly string[] | null;
  /** How many processes may paint at once. */
  readonly painters: number;
  readonly temporaryDirectory: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: TrustedFetch;
  /** What is configured of each upstream; null = nothing, so it is off. */
  readonly upstreams: { readonly fal: UpstreamAccess | null; readonly replicate: UpstreamAccess | null };
}

export interface UpstreamAccess {
  readonly key: string;
  /** Null: the upstream's own. */
  readonly url: string | null;
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
  const engines: Engine[] = [{ ...sketch, close: () => pool.close() }];
  const { fal, replicate } = settings.upstreams;
  if (fal !== null) engines.push(createFalEngine({ ...settings, ...fal }));
  if (replicate !== null) engines.push(createReplicateEngine({ ...settings, ...replicate, token: replicate.key }));
  const isOn = ({ name }: Engine) => name === sketch.name || settings.only?.includes(name) !== false;
  return new Map(engines.filter(isOn).map((engine) => [engine.name, engine]));
}
