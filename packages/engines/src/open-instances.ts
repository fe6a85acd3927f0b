import type { Engine } from './engine.ts';
import type { EngineInstance } from './instance.ts';
import { type OwnEngines, openOwnEngines } from './own-engines.ts';
import { type LimitSetting, openUpstreams, type Upstreams, type UpstreamTools } from './upstreams.ts';
import { batchEngineOf } from './vendor-descriptors.ts';

/**
 * The configured engines: those that variables switch on, the named instances of the operator's file, and those of the
 * operator's folder.
 */
export interface ConfiguredEngines {
  readonly upstreams: Upstreams;
  /** Limits by engine name. */
  readonly engineLimits: Readonly<Record<string, LimitSetting>>;
  readonly engineInstances: readonly ConfiguredInstance[];
  readonly ownEngines: OwnEngines;
}

interface ConfiguredInstance {
  readonly name: string;
  readonly settings: EngineInstance;
  /** Configuration of its engine; null if it adds settings to the engine of its name, which a variable switches on. */
  readonly upstreams: Upstreams | null;
  /** Limits by kind. */
  readonly limits: Readonly<Record<string, LimitSetting>>;
}

const FILE_VARIABLE = 'DARKROOM_ENGINES_FILE';

/**
 * Creates the engines of all configured upstreams, each with the variable that switched it on.
 * @throws OwnEngineFault
 */
export async function openInstances(
  { upstreams, engineLimits, engineInstances, ownEngines }: ConfiguredEngines,
  tools: UpstreamTools,
): Promise<{ readonly engine: Engine; readonly variable: string }[]> {
  const added = new Map(engineInstances.flatMap((one) => (one.upstreams === null ? [[one.name, one] as const] : [])));
  const limits = { ...engineLimits };
  for (const [name, one] of added) if (one.limits[name] !== undefined) limits[name] = one.limits[name];
  const byVariable = openUpstreams(upstreams, tools, limits).map(({ engine, variable }) => {
    const instance = added.get(engine.name)?.settings;
    return { engine: instance === undefined ? engine : { ...engine, instance }, variable };
  });
  const named = engineInstances.flatMap(({ name, settings, upstreams: own, limits: ownLimits }) =>
    own === null
      ? []
      : openUpstreams(own, tools, ownLimits).map(({ engine }) => ({
          engine: { ...engine, ...nameOf(engine.name, name, settings) },
          variable: FILE_VARIABLE,
        })),
  );
  return [...byVariable, ...named, ...(await openOwnEngines(ownEngines, tools))];
}

/** Returns the name and instance of an engine: an instance of a vendor with a batch interface is two engines. */
function nameOf(kind: string, name: string, settings: EngineInstance): Required<Pick<Engine, 'name' | 'instance'>> {
  if (kind === settings.kind) return { name, instance: settings };
  return { name: batchEngineOf(name), instance: { ...settings, kind } };
}
