import { world } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { type CallContext, type Engine, kindOf } from '@darkroom-service/engines';
import type { Log } from '../base/log.ts';

/** The upstreams' own lists of models: a route whose model is no longer listed gets no orders. */
export interface ModelLists {
  isGone(route: { readonly engine: string; readonly model?: string | null | undefined }): boolean;
  /** Asks every engine with a list now. A list that cannot be read changes nothing. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
const LIST_TIMEOUT_MS = 30_000;

/** Asks at the start and daily, in the background. */
export function openModelLists({ engines, models, log }: ModelListParts): ModelLists {
  const gone = new Map<string, ReadonlySet<string>>();
  const stopping = new AbortController();
  let checking: Promise<void> = Promise.resolve();

  async function checkEngine(engine: Engine): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, world.timeout(LIST_TIMEOUT_MS)]);
    try {
      const missing = await findGone(engine, models(), { signal, onProgress: () => {} });
      if (stopping.signal.aborted) return;
      const before = gone.get(engine.name) ?? new Set();
      const fresh = missing.filter((model) => !before.has(model));
      const back = [...before].filter((model) => !missing.includes(model));
      gone.set(engine.name, new Set(missing));
      if (fresh.length > 0)
        log.error(
          { engine: engine.name, models: fresh },
          'upstream no longer lists models; their routes get no orders',
        );
      if (back.length > 0) log.info({ engine: engine.name, models: back }, 'upstream lists models again');
    } catch (error) {
      if (!stopping.signal.aborted) log.info({ err: error, engine: engine.name }, 'could not read the list of models');
    }
  }

  const check = async () => {
    await Promise.all([...engines.values()].map(checkEngine));
  };
  const begin = () => {
    checking = checking.then(check);
  };
  begin();
  const daily = world.setInterval(begin, DAY_MS);
  daily.unref();

  return {
    isGone: ({ engine, model }) => model != null && gone.get(engine)?.has(model) === true,
    check,
    async stop() {
      world.clearInterval(daily);
      stopping.abort(new Error('the service stops'));
      await checking;
    },
  };
}

interface ModelListParts {
  readonly engines: ReadonlyMap<string, Engine>;
  readonly models: () => readonly Model[];
  readonly log: Log;
}

/**
 * Returns the models of an engine's routes that its upstream no longer has; none if the upstream has no list.
 * @throws EngineError if the list cannot be read
 */
export async function findGone(engine: Engine, models: readonly Model[], context: CallContext): Promise<string[]> {
  const kind = kindOf(engine);
  const asked = [...new Set(routedModels(models, kind).map(({ name }) => name))];
  const listed = await engine.models?.(context, asked);
  return listed === undefined ? [] : goneModels(models, kind, listed);
}

/**
 * Returns the upstream models of the routes of a kind of engine that its list lacks. A list without any of our images
 * proves nothing about images, and one without any of our videos nothing about videos: some upstreams list them
 * elsewhere. A dated version counts as its model.
 */
export function goneModels(models: readonly Model[], kind: string, listed: ReadonlySet<string>): string[] {
  const all = [...listed];
  const isListed = (name: string) => listed.has(name) || all.some((one) => one.startsWith(`${name}-`));
  return (['image', 'video'] as const).flatMap((type) => {
    const names = routedModels(models, kind).flatMap((one) => (one.type === type ? [one.name] : []));
    const missing = [...new Set(names)].filter((name) => !isListed(name));
    return missing.length === new Set(names).size ? [] : missing;
  });
}

function routedModels(models: readonly Model[], kind: string): { readonly type: string; readonly name: string }[] {
  return models
    .filter(({ status }) => status !== 'retired')
    .flatMap(({ type, routes }) => routes.map((route) => ({ type, route })))
    .flatMap(({ type, route: { engine, model } }) =>
      engine === kind && model !== undefined ? [{ type, name: model }] : [],
    );
}
