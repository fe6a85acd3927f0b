import { world } from '@darkroom-service/contract';
import { type Engine, kindOf } from '@darkroom-service/engines';
import { type Rounds, startRounds } from '../../base/rounds.ts';
import { lasts, modelOf, notMadeReason, stateOf, subjectOfRoute } from '../../routing/valve.ts';
import type { WorkerServices } from '../worker-services.ts';

type Watched = Pick<WorkerServices, 'valves' | 'engines'> & {
  readonly services: Pick<WorkerServices['services'], 'catalog' | 'clock' | 'log'>;
};

const LOOK_EVERY_MS = 3_000;
const PROBE_TIMEOUT_MS = 10_000;
/** Failed looks in a row until a server counts as away: one lost packet is no outage. */
const SILENT_LOOKS = 2;
/** Minimum time between two openings of a server's valve: the server may answer probes and still refuse orders. */
const BELIEVED_AGAIN_MS = 30_000;

/**
 * Probes the operator's own servers every few seconds, since that costs nothing.
 * @param wake called when orders may be claimed again
 */
export function startOwnServerWatch(work: Watched, wake: () => void): Rounds {
  const { valves, services, engines } = work;
  const { clock } = services;
  const own = [...engines.values()].filter(({ isFree, probe }) => isFree === true && probe);
  const silent = new Map<string, number>();
  const believedAt = new Map<string, number>();
  const rounds = startRounds({
    everyMs: own.length === 0 ? null : LOOK_EVERY_MS,
    round: () => Promise.all(own.map(check)),
    onError: (error) => services.log.error({ err: error }, 'could not ask an own server; retrying'),
  });
  return rounds;

  async function check(engine: Engine): Promise<void> {
    const limit = world.timeout(PROBE_TIMEOUT_MS);
    const context = { signal: AbortSignal.any([rounds.signal, limit]), onProgress: () => {} };
    const probed = await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }));
    // A server that is busy may be slow to answer; its calls tell whether it hangs.
    if (probed === undefined || context.signal.aborted) return;
    if (!probed.ok) return await isAway(engine, probed.message);
    silent.delete(engine.name);
    await isBack(engine);
    if ('models' in probed && probed.models !== undefined) await compareModels(engine, probed.models, probed.refused);
  }

  async function isAway({ name }: Engine, message: string): Promise<void> {
    const looks = (silent.get(name) ?? 0) + 1;
    silent.set(name, looks);
    if (looks >= SILENT_LOOKS && valves.of(name, 'outage') === null) await valves.away(name, message);
  }

  async function isBack({ name }: Engine): Promise<void> {
    const shut = valves.of(name, 'outage');
    if (shut === null || lasts(shut)) return;
    if (clock.now() - (believedAt.get(name) ?? Number.NEGATIVE_INFINITY) < BELIEVED_AGAIN_MS) return;
    believedAt.set(name, clock.now());
    await valves.back(name);
    wake();
  }

  /** Shuts the routes to models that the server does not make, and opens them once it does. */
  async function compareModels(
    engine: Engine,
    made: readonly string[],
    refused: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const { name } = engine;
    const kind = kindOf(engine);
    const routes = services.catalog().models.flatMap((model) => model.routes.filter((route) => route.engine === kind));
    const offered = new Set(routes.flatMap((route) => route.model ?? []));
    // Nobody can order a model whose route is gone, and its valve would never be opened.
    for (const { subject } of valves.routesOf(name))
      if (!offered.has(modelOf(subject) ?? '')) await valves.back(subject);
    for (const model of offered) {
      const subject = subjectOfRoute({ engine: name, model });
      const shut = valves.of(subject);
      if (!made.includes(model)) {
        const reason = refused.get(model);
        if (stateOf(shut, clock.now()) === 'shut') continue;
        if (reason !== undefined) await valves.away(subject, reason);
        else await valves.away(subject, notMadeReason(name, model, made), 'not_loaded');
      } else if (shut !== null) {
        await valves.back(subject);
        wake();
      }
    }
  }
}
