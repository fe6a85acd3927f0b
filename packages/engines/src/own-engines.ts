import { pathToFileURL } from 'node:url';
import { type Engine, EngineError } from './engine.ts';
import type { UpstreamTools } from './upstreams.ts';

/** The export `engine` of an engine's file: all that the service has to know of the engine. */
interface EngineDescriptor {
  /** The engine's name in routes of the catalog, and the name of its file. */
  readonly name: string;
  /** The environment variables that it needs, such as the one of its key. */
  readonly variables?: readonly string[];
  create(
    settings: UpstreamTools & {
      readonly variables: Readonly<Record<string, string>>;
      /** The error class to throw: the file can import nothing of the service. */
      readonly EngineError: typeof EngineError;
    },
  ): Engine;
}

/** The operator's own engines, each a file of JavaScript. */
export interface OwnEngines {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** The variables of the process: each engine gets those that it names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Error for an engine's file that cannot be used; the message has the reason. */
export class OwnEngineFault extends Error {
  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path}: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'OwnEngineFault';
  }
}

export const OWN_ENGINES_VARIABLE = 'DARKROOM_ENGINES_DIR';

/** Loads the files and creates their engines. @throws OwnEngineFault */
export async function openOwnEngines(
  { files, environment }: OwnEngines,
  tools: UpstreamTools,
): Promise<{ readonly engine: Engine; readonly variable: string }[]> {
  return await Promise.all(
    files.map(async ({ name, path }) => {
      const { variables = [], create } = await loadDescriptor(name, path);
      const missing = variables.filter((variable) => !environment[variable]);
      if (missing.length > 0) throw new OwnEngineFault(path, `it needs ${missing.join(', ')}, which is not set`);
      const values = Object.fromEntries(variables.map((variable) => [variable, environment[variable] ?? '']));
      return {
        engine: checked(create({ ...tools, EngineError, variables: values }), name, path),
        variable: OWN_ENGINES_VARIABLE,
      };
    }),
  );
}

async function loadDescriptor(name: string, path: string): Promise<EngineDescriptor> {
  let module: { readonly engine?: Partial<EngineDescriptor> };
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new OwnEngineFault(path, `it cannot be loaded: ${error instanceof Error ? error.message : error}`, error);
  }
  const { engine } = module;
  if (engine?.name !== name || typeof engine.create !== 'function')
    throw new OwnEngineFault(path, `expected an export "engine" with the name "${name}" and a function "create"`);
  return engine as EngineDescriptor;
}

/** Checks an engine for faults that would otherwise show with the first order. */
function checked(engine: Engine, name: string, path: string): Engine {
  const expected = {
    name: engine?.name === name,
    start: typeof engine?.start === 'function',
    check: typeof engine?.check === 'function',
    concurrency: Number.isInteger(engine?.concurrency) && engine.concurrency > 0,
  };
  const wrong = Object.entries(expected).find(([, isRight]) => !isRight)?.[0];
  if (wrong !== undefined) throw new OwnEngineFault(path, `the engine that "create" returns has no valid "${wrong}"`);
  return engine;
}
