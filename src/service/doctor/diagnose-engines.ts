import { AsyncLocalStorage } from 'node:async_hooks';
import { systemClock, world } from '@darkroom-service/contract';
import type { Model } from '@darkroom-service/contract/catalog';
import { callTimeoutOf, type Engine, OWN_ENGINES_VARIABLE } from '@darkroom-service/engines';
import { openInstances } from '@darkroom-service/engines/adapters';
import {
  createMediaTools,
  createTrustedFetch,
  type OutgoingProxies,
  proxyFor,
  shownProxy,
  type TrustedFetch,
} from '@darkroom-service/media';
import { createLog } from '../../base/log.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import type { ListComparison } from '../../catalog/compare-lists.ts';
import { askForList } from '../../routing/model-lists.ts';
import { shutSubjects, type ValveRow } from '../../routing/stored-valves.ts';
import { describeShut } from '../../routing/valve.ts';
import { type Check, forWeek } from '../check.ts';
import type { Config } from '../config/config.ts';
import { diagnosePrices } from './diagnose-prices.ts';

const PROBE_TIMEOUT_MS = 10_000;

/**
 * Asks every configured upstream whether it answers and accepts the key. Free of charge.
 * @param valves as last stored by a service
 * @param now milliseconds, by the services' clock
 */
export async function diagnoseEngines(config: Config, valves: readonly ValveRow[], now: number): Promise<Check[]> {
  const { fetch: untraced, close } = createTrustedFetch(config.outgoing);
  const { fetch, trace: traced } = traceFetch(untraced, config.outgoing.proxies);
  // Probes edit no pictures, so this starts no process.
  const pictures = createMediaTools();
  try {
    const tools = { clock: systemClock, log: createLog('silent'), fetch, pictures };
    const opened = await openInstances(config, tools).catch((error: Error) => error);
    if (opened instanceof Error)
      return [
        {
          name: 'engines',
          status: 'failed',
          found: opened.message,
          advice: `Mend the file, or take it out of ${OWN_ENGINES_VARIABLE}.`,
        },
      ];
    const models = await loadCatalog({ directories: config.catalogDirectories }).then(
      (catalog) => catalog.models,
      // Its own check reports the fault.
      () => [],
    );
    const on = opened.filter(({ engine }) => config.engines?.includes(engine.name) !== false);
    const allShut = shutSubjects(valves, now);
    const findings = await Promise.all(
      on.map(async ({ engine, variable }): Promise<Check> => {
        const name = `engine ${engine.name}`;
        const context = { signal: world.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
        const unprobed = (error: Error) => ({ ok: false, message: error.message, cause: undefined });
        const { result: probed, proxies } = await traced(async () => await engine.probe?.(context).catch(unprobed));
        const way = proxies.size === 0 ? '' : `, through the proxy ${[...proxies].join(' and ')}`;
        const shut = allShut.find(({ subject }) => subject === engine.name);
        if (probed?.ok !== false) {
          const found = `${probed?.message ?? 'configured'} (${describeLimits(engine)})${way}`;
          const list = await listAt(engine, models, config);
          if (list !== null) {
            const news = describeList(list);
            if (news !== null) return { name, ...forWeek(`${found}, but ${news.found}`, news.advice) };
          }
          if (shut === undefined) return { name, status: 'ok', found: `${found}. ${howToTry(engine)}`, advice: null };
          const advice = `It gets orders again by itself; once the cause is mended, at once by POST /admin/v1/engines/${engine.name}/circuit/close.`;
          return { name, status: 'warning', found: `${found}, but it ${describeShut(shut, now)}`, advice };
        }
        const advice = `Check ${variable} and the way to the upstream. Without it, orders of its models fail.`;
        const why = probed.cause === undefined ? '' : `: ${probed.cause}`;
        return { name, status: 'failed', found: `${probed.message}${way}${why}`, advice };
      }),
    );
    const engines = on.map(({ engine }) => engine);
    return [...findings, ...(await diagnosePrices({ models, engines, terms: config.terms, now }))];
  } finally {
    await pictures.close();
    await close();
  }
}

/** Compares the upstream's own list of models with the catalog; null if it has none, or it cannot be read. */
async function listAt(
  engine: Engine,
  models: readonly Model[],
  { catalogDirectories: [shipped = ''] }: Config,
): Promise<ListComparison | null> {
  const context = { signal: world.timeout(PROBE_TIMEOUT_MS), onProgress: () => {} };
  return await askForList(engine, models, shipped, context).catch(() => null);
}

/** Describes what an upstream's list says beside the catalog; null if nothing. */
function describeList({ gone, lacking }: ListComparison): Pick<Check, 'found' | 'advice'> | null {
  if (gone.length > 0)
    return {
      found: `it no longer lists ${gone.join(', ')}`,
      advice: `Their routes get no orders. Look in the upstream's own pages for successors, and give the models other routes.`,
    };
  if (lacking.length === 0) return null;
  return {
    found: `it lists ${lacking.join(', ')}, which the catalog lacks`,
    advice: 'Install a newer version, or add an entry of your own (docs/catalog.md).',
  };
}

/** Returns the advice on trying an engine: probes cost nothing and so place no order. */
function howToTry({ name }: Engine): string {
  return `To place a paid order at each of its routes: darkroom engines try ${name} --max-spend 0.50`;
}

/** Formats limits such as `5 to 200 orders at once, 720 s to hand one over`. */
function describeLimits(engine: Engine): string {
  const { concurrency, adapts } = engine;
  const orders = adapts === undefined ? `${concurrency}` : `${adapts.floor} to ${adapts.ceiling}`;
  return `${orders} orders at once, at most ${callTimeoutOf(engine) / 1000} s to hand one over`;
}

interface TracedFetch {
  readonly fetch: TrustedFetch;
  /** Runs a check, and returns its result and the proxies that it used, without user and password. */
  trace<Result>(check: () => Promise<Result>): Promise<{ readonly result: Result; readonly proxies: Set<string> }>;
}

/** Reports for each check the proxies of its requests. Checks may run at once. */
function traceFetch(fetch: TrustedFetch, proxies: OutgoingProxies): TracedFetch {
  const traces = new AsyncLocalStorage<Set<string>>();
  return {
    async fetch(url, options) {
      const target = URL.parse(url);
      const proxy = target === null ? null : proxyFor(target, proxies);
      if (proxy !== null) traces.getStore()?.add(shownProxy(proxy));
      return await fetch(url, options);
    },
    async trace(check) {
      const used = new Set<string>();
      return { result: await traces.run(used, check), proxies: used };
    },
  };
}
