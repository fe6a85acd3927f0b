import { world } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { type Rounds, startRounds } from '../../base/rounds.ts';
import { takeTrial } from '../../routing/stored-valves.ts';
import { isLong, type Shut, stateOf } from '../../routing/valve.ts';
import type { WorkerServices } from '../worker-services.ts';
import { findUnconfigured } from './find-unconfigured.ts';
import { type PlaceInQueue, rerouteWaiting } from './move-waiting-on.ts';

const CHECK_EVERY_MS = 1_000;
/**
 * Waiting orders are examined again after this time: their keys may have free slots, or other routes may work again.
 */
const REROUTE_EVERY_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;
const KEY_TRIED_AFTER_MS = 5 * 60_000;

/** A pass over the waiting orders of an engine. */
interface Pass {
  readonly begunAt: number;
  /** The place after which the next call goes on; null = the pass is over. */
  readonly reached: PlaceInQueue | null;
}

/**
 * Tests shut valves so that they open again, and moves orders that wait for one to other routes. A stop waits neither
 * for an upstream nor for a long queue. For this watch the valve of an engine is
 *
 * - *shut* (`#whileShut`): if that lasts, its waiting orders are moved to other routes now and then.
 * - *on trial* (`#test`): one process probes the upstream, and then lets one order through.
 * - *open again* (`#opened`): its orders are claimed again.
 */
export class ValveWatch {
  readonly #work: WorkerServices;
  readonly #wake: () => void;
  readonly #rounds: Rounds;
  /** Engines whose valve was shut in the last round. */
  readonly #shut = new Set<string>();
  /** The last pass over the waiting orders of an engine. */
  readonly #passes = new Map<string, Pass>();
  #unconfigured: readonly string[] = [];
  #unconfiguredAt = Number.NEGATIVE_INFINITY;

  /** @param wake called when a test order may be claimed */
  constructor(work: WorkerServices, wake: () => void) {
    this.#work = work;
    this.#wake = wake;
    this.#rounds = startRounds({
      everyMs: CHECK_EVERY_MS,
      round: () => this.#checkAll(),
      onError: (error) => work.services.log.error({ err: error }, 'could not check circuits; retrying'),
    });
  }

  /** Runs a round now, or waits for the one that runs. */
  async run(): Promise<void> {
    await this.#rounds.run();
  }

  /** Resolves when the current round has ended; no other follows. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
  }

  async #checkAll(): Promise<void> {
    const { engines, valves } = this.#work;
    await this.#rerouteUnconfigured();
    for (const engine of engines.values()) {
      if (this.#signal.aborted) return;
      await this.#findHangingOrders(engine);
      this.#tryRefusedKey(engine);
      const shut = valves.of(engine.name);
      if (shut !== null) await this.#whileShut(engine, shut);
      else if (this.#shut.delete(engine.name)) this.#opened(engine.name);
      for (const route of valves.routesOf(engine.name)) await this.#checkRoute(route);
    }
  }

  /** Moves orders of engines that no worker has any more. */
  async #rerouteUnconfigured(): Promise<void> {
    // Not only at the start: orders that wait for a slot, for a picture or in a batch enter its queue later.
    if (this.#now() - this.#unconfiguredAt >= REROUTE_EVERY_MS) {
      this.#unconfiguredAt = this.#now();
      this.#unconfigured = await findUnconfigured(this.#work);
    }
    for (const engine of this.#unconfigured) await this.#reroute(engine, `${engine} is not configured`);
  }

  /** Goes on with the pass over the waiting orders of an engine, or begins one if the last began long ago. */
  async #reroute(engine: string, reason: string): Promise<void> {
    const last = this.#passes.get(engine);
    const isOver = last === undefined || last.reached === null;
    if (last !== undefined && isOver && this.#now() - last.begunAt < REROUTE_EVERY_MS) return;
    const pass = isOver ? { begunAt: this.#now(), reached: null } : last;
    const reached = await rerouteWaiting(this.#work, engine, reason, pass.reached, this.#signal);
    this.#passes.set(engine, { ...pass, reached });
  }

  /** Shuts the valve of an upstream whose calls hang, long before they time out. */
  async #findHangingOrders(engine: Engine): Promise<void> {
    const { valves, load, services } = this.#work;
    if (engine.repeatable === true) return;
    const isTested = valves.stateOf(engine.name) === 'on_trial' || valves.beginning(engine.name) !== null;
    const hanging = load.hanging(engine.name, isTested);
    if (hanging === null) return;
    const { calls, longestMs, limitMs } = hanging;
    const facts = { engine: engine.name, calls, longest_ms: longestMs, limit_ms: Math.round(limitMs) };
    services.log.warn(facts, 'engine hangs: calls take far longer than usual');
    const seconds = Math.round(longestMs / 1000);
    await valves.hangs(engine.name, `${engine.name} does not answer: ${calls} calls are open, one for ${seconds} s`);
  }

  /** Tries a refused key again: an upstream may accept it later, and refuses it again if it does not. */
  #tryRefusedKey(engine: Engine): void {
    const { processState } = this.#work;
    const refused = processState.refusedKey(engine.name);
    if (refused === null || this.#now() - refused.since < KEY_TRIED_AFTER_MS) return;
    processState.tryKey(engine.name);
    this.#wake();
  }

  async #whileShut(engine: Engine, shut: Shut): Promise<void> {
    const { valves, services } = this.#work;
    this.#shut.add(engine.name);
    const now = this.#now();
    if (valves.stateOf(engine.name) === 'on_trial') {
      if (!valves.hasTrial(engine.name) && (await takeTrial(services.database, shut, now))) await this.#test(engine);
    } else if (isLong(shut)) await this.#reroute(engine.name, shut.message);
  }

  /** Probes the upstream, if that is free; then lets one order through. */
  async #test(engine: Engine): Promise<void> {
    const { valves } = this.#work;
    const context = { signal: AbortSignal.any([this.#signal, world.timeout(PROBE_TIMEOUT_MS)]), onProgress: () => {} };
    const probed = await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }));
    // An aborted probe says nothing.
    if (this.#signal.aborted) return;
    if (probed?.ok === false) return await valves.stillDown(engine.name, probed.message);
    if (await this.#isEmpty(engine, context.signal))
      return await valves.stillDown(engine.name, `nothing is left at ${engine.name}`);
    if (this.#signal.aborted) return;
    this.#giveTrial(engine.name);
  }

  /** Tells whether the account at an upstream with a billing fault is empty, if its balance can be read. */
  async #isEmpty(engine: Engine, signal: AbortSignal): Promise<boolean> {
    if (engine.balance === undefined || this.#work.valves.of(engine.name, 'outage')?.fault !== 'billing') return false;
    const balance = await engine.balance({ signal }).catch(() => null);
    return balance !== null && Number(balance.amount) <= 0;
  }

  async #checkRoute(shut: Shut): Promise<void> {
    const { valves, services } = this.#work;
    const now = this.#now();
    if (stateOf(shut, now) !== 'on_trial' || valves.hasTrial(shut.subject)) return;
    if (await takeTrial(services.database, shut, now)) this.#giveTrial(shut.subject);
  }

  #giveTrial(subject: string): void {
    this.#work.valves.giveTrial(subject);
    this.#wake();
  }

  #opened(engine: string): void {
    this.#passes.delete(engine);
    this.#work.load.letThrough(engine);
    this.#wake();
  }

  get #signal(): AbortSignal {
    return this.#rounds.signal;
  }

  #now(): number {
    return this.#work.services.clock.now();
  }
}
