import type { Config } from '../config/config.ts';
import type { Engine } from '../engines/engine.ts';
import { type EngineSettings, openEngines } from '../engines/engines.ts';
import type { ConfiguredEngines } from '../engines/open-instances.ts';

type Tools = Pick<EngineSettings, 'temporaryDirectory' | 'clock' | 'log' | 'fetch' | 'pictures'>;

/** Opens the configured engines and adds those of a test, by name. */
export function openServiceEngines(
  config: Pick<Config, 'engines' | 'painters' | keyof ConfiguredEngines>,
  added: readonly Engine[],
  tools: Tools,
  closers: AsyncDisposableStack,
): ReadonlyMap<string, Engine> {
  const engines = new Map([
    ...openEngines({
      only: config.engines,
      painters: config.painters,
      ...tools,
      upstreams: config.upstreams,
      engineLimits: config.engineLimits,
      engineInstances: config.engineInstances,
    }),
    ...added.map((engine): [string, Engine] => [engine.name, engine]),
  ]);
  for (const engine of engines.values()) closers.defer(() => engine.close?.());
  return engines;
}
