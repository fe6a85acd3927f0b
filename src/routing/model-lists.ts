import { world } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { type CallContext, type Engine, kindOf } from '@darkroom-service/engines';
import type { Log } from '../base/log.ts';
import { compareList, type ListComparison, routedNames } from '../catalog/compare-lists.ts';
import { readDecidedModels } from '../catalog/decided-models.ts';

/** The model of a route at an engine. */
export interface ListedRoute {
  readonly engine: string;
  readonly model?: string | null | undefined;
}

/** The upstreams' own lists of models: a route whose model is no longer listed, or has ended there, gets no orders. */
export interface ModelLists {
  isGone(route: ListedRoute): boolean;
  /** Returns the time at which the upstream ends the model, ISO 8601; null = it states none. */
  endOf(route: ListedRoute): string | null;
  /** Asks every engine with a list now. A list that cannot be read changes nothing. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
const LIST_TIMEOUT_MS = 30_000;
const NOTHING: ListComparison = { gone: [], ends: new Map(), lacking: [] };

/** Asks at the start and daily, in the background. Each news is logged once. */
export function openModelLists({ engines, models, decisionsIn, log }: ModelListParts): ModelLists {
  const known = new Map<string, ListComparison>();
  const stopping = new AbortController();
  let checking: Promise<void> = Promise.resolve();

  async function checkEngine(engine: Engine): Promise<void> {
    const signal = AbortSignal.any([stopping.signal, world.timeout(LIST_TIMEOUT_MS)]);
    try {
      const found = await askForList(engine, models(), decisionsIn, { signal, onProgress: () => {} });
      if (stopping.signal.aborted || found === null) return;
      const before = known.get(engine.name) ?? NOTHING;
      known.set(engine.name, found);
      logNews(log, engine.name, before, found);
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
    isGone: ({ engine, model }) => model != null && known.get(engine)?.gone.includes(model) === true,
    endOf: ({ engine, model }) => (model == null ? null : (known.get(engine)?.ends.get(model) ?? null)),
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
  /** The directory of the shipped catalog, whose decisions name models that are not offered. */
  readonly decisionsIn: string;
  readonly log: Log;
}

function logNews(log: Log, engine: string, before: ListComparison, found: ListComparison): void {
  const fresh = found.gone.filter((model) => !before.gone.includes(model));
  const back = before.gone.filter((model) => !found.gone.includes(model));
  const ends = [...found.ends].filter(([model, end]) => before.ends.get(model) !== end);
  const lacking = found.lacking.filter((model) => !before.lacking.includes(model));
  if (fresh.length > 0)
    log.error({ engine, models: fresh }, 'upstream no longer lists models; their routes get no orders');
  if (back.length > 0) log.info({ engine, models: back }, 'upstream lists models again');
  if (ends.length > 0) log.warn({ engine, ends: Object.fromEntries(ends) }, 'upstream states when it ends models');
  if (lacking.length > 0) log.warn({ engine, models: lacking }, 'upstream lists models that the catalog lacks');
}

/**
 * Asks an engine for its upstream's list and compares it with the catalog; null if the upstream has no list.
 * @param decisionsIn the directory of the shipped catalog
 * @throws EngineError if the list cannot be read
 */
export async function askForList(
  engine: Engine,
  models: readonly Model[],
  decisionsIn: string,
  context: CallContext,
): Promise<ListComparison | null> {
  const kind = kindOf(engine);
  const listed = await engine.models?.(context, routedNames(models, kind));
  return listed === undefined ? null : compareList(models, kind, listed, await readDecidedModels(decisionsIn));
}
