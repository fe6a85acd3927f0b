import { world } from '@darkroom-service/contract';
import { type Engine, enginesInUse } from '@darkroom-service/engines';
import { type Rounds, startRounds } from '../../base/rounds.ts';
import { engineOfQueue } from '../../queue/queue-names.ts';
import { takeTrial } from '../../routing/stored-valves.ts';
import { isLong, type Shut, stateOf } from '../../routing/valve.ts';
import type { WorkerServices } from '../worker-services.ts';
import { rerouteWaiting } from './move-waiting-on.ts';

const LOOK_EVERY_MS = 1_000;
/**
 * Waiting orders are examined again after this time: their keys may have free slots, or other routes may work again.
 */
const MOVE_EVERY_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;
const KEY_TRIED_AFTER_MS = 5 * 60_000;

/**
 * Tests shut valves so that they open again, and moves orders that wait for one to other routes. A stop waits
 * neither for an upstream nor for a long queue.
 * @param wake called when a test order may be claimed
 */
export function startValveWatch(work: WorkerServices, wake: () => void): Rounds {
  const { valves, services, engines } = work;
  const movedAt = new Map<string, number>();
  const wasShut = new Set<string>();
  let unconfiguredAt = Number.NEGATIVE_INFINITY;
  const rounds = startRounds({
    everyMs: LOOK_EVERY_MS,
    round: lookAtAll,
    onError: (error) => services.log.error({ err: error }, 'could not check circuits; retrying'),
  });
  const { signal } = rounds;
  return rounds;

  async function lookAtAll(): Promise<void> {
    // Not only at the start: orders that wait for a slot, for a picture or in a batch enter its queue later.
    if (services.clock.now() - unconfiguredAt >= MOVE_EVERY_MS) {
      unconfiguredAt = services.clock.now();
      for (const engine of await unconfigured())
        await rerouteWaiting(work, engine, `${engine} is not configured`, signal);
    }
    for (const engine of engines.values()) {
      if (signal.aborted) return;
      await findHangingOrders(engine);
      await tryRefusedKey(engine);
      const shut = valves.of(engine.name);
      if (shut !== null) {
        wasShut.add(engine.name);
        await lookAt(engine, shut);
      } else if (wasShut.delete(engine.name)) {
        movedAt.delete(engine.name);
        work.load.letThrough(engine.name);
        wake();
      }
      for (const route of valves.routesOf(engine.name)) await checkRoute(route);
    }
  }

  async function lookAt(engine: Engine, shut: Shut): Promise<void> {
    const now = services.clock.now();
    if (valves.stateOf(engine.name) === 'on_trial') {
      if (!valves.hasTrial(engine.name) && (await takeTrial(services.database, shut, now))) await tryIt(engine);
    } else if (isLong(shut) && now - (movedAt.get(engine.name) ?? 0) >= MOVE_EVERY_MS) {
      movedAt.set(engine.name, now);
      await rerouteWaiting(work, engine.name, shut.message, signal);
    }
  }

  /** Shuts the valve of an upstream whose calls hang, long before they time out. */
  async function findHangingOrders(engine: Engine): Promise<void> {
    if (engine.repeatable === true) return;
    const isTested = valves.stateOf(engine.name) === 'on_trial' || valves.beginning(engine.name) !== null;
    const hanging = work.load.hanging(engine.name, isTested);
    if (hanging === null) return;
    const { calls, longestMs, limitMs } = hanging;
    const facts = { engine: engine.name, calls, longest_ms: longestMs, limit_ms: Math.round(limitMs) };
    services.log.warn(facts, 'engine hangs: calls take far longer than usual');
    const seconds = Math.round(longestMs / 1000);
    await valves.hangs(engine.name, `${engine.name} does not answer: ${calls} calls are open, one for ${seconds} s`);
  }

  /** Tries a refused key again: an upstream may accept it later, and refuses it again if it does not. */
  async function tryRefusedKey(engine: Engine): Promise<void> {
    const refused = work.processState.refusedKey(engine.name);
    if (refused === null || services.clock.now() - refused.since < KEY_TRIED_AFTER_MS) return;
    work.processState.tryKey(engine.name);
    wake();
  }

  async function checkRoute(shut: Shut): Promise<void> {
    const now = services.clock.now();
    if (stateOf(shut, now) !== 'on_trial' || valves.hasTrial(shut.subject)) return;
    if (!(await takeTrial(services.database, shut, now))) return;
    valves.giveTrial(shut.subject);
    wake();
  }

  /** Returns the engines that orders wait for and that no worker has any more. */
  async function unconfigured(): Promise<string[]> {
    const inUse = new Set(enginesInUse(engines).map(({ name }) => name));
    const found: string[] = [];
    for await (const queue of queuesWithOrders()) {
      const engine = engineOfQueue(queue);
      if (!inUse.has(engine) && !work.processState.isElsewhere(engine)) found.push(engine);
    }
    return found;
  }

  /** Yields the queues in which orders wait: one step in the index for each, however many orders it has. */
  async function* queuesWithOrders(): AsyncGenerator<string> {
    const { read } = services.database;
    for (let after = ''; ; ) {
      const row = await read.first(
        read.builder
          .selectFrom('tasks')
          .select('queue')
          .where('step', '=', 'waiting')
          .where('claimable', '=', 1)
          .where('queue', '>', after)
          .orderBy('queue')
          .limit(1),
      );
      if (row === undefined) return;
      yield row.queue;
      after = row.queue;
    }
  }

  /** Tells whether the account at an upstream with a billing fault is empty, if its balance can be read. */
  async function isEmpty(engine: Engine, limited: AbortSignal): Promise<boolean> {
    if (engine.balance === undefined || valves.of(engine.name, 'outage')?.fault !== 'billing') return false;
    const balance = await engine.balance({ signal: limited }).catch(() => null);
    return balance !== null && Number(balance.amount) <= 0;
  }

  /** Probes the upstream, if that is free; then lets one order through. */
  async function tryIt(engine: Engine): Promise<void> {
    const context = { signal: AbortSignal.any([signal, world.timeout(PROBE_TIMEOUT_MS)]), onProgress: () => {} };
    const probed = await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }));
    // An aborted probe says nothing.
    if (signal.aborted) return;
    if (probed?.ok === false) return await valves.stillDown(engine.name, probed.message);
    if (await isEmpty(engine, context.signal))
      return await valves.stillDown(engine.name, `nothing is left at ${engine.name}`);
    if (signal.aborted) return;
    valves.giveTrial(engine.name);
    wake();
  }
}
