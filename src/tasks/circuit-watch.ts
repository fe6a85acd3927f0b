import type { Engine } from '../engines/engine.ts';
import { isLong, type Opened } from './circuit.ts';
import { takeTrial } from './circuits.ts';
import { moveWaitingOn } from './move-waiting-on.ts';
import { engineOfQueue } from './queue-report.ts';
import type { WorkerDesk } from './worker-desk.ts';

/** Sees to it that circuits close again, and that orders which wait behind one go where they can. */
export interface CircuitWatch {
  /** Looks at once. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
/** Orders whose key lets them in later, and routes that are well again meanwhile. */
const MOVE_EVERY_MS = 30_000;
const PROBE_TIMEOUT_MS = 10_000;

/** @param wake there is an order to try */
export function startCircuitWatch(work: WorkerDesk, wake: () => void): CircuitWatch {
  const { circuits, desk, engines } = work;
  const movedAt = new Map<string, number>();
  /** A stop waits neither for an upstream nor for a long queue. */
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFirst = true;
  let looking: Promise<void> | null = null;
  const look = () => {
    looking ??= lookAtAll()
      .catch((error: unknown) => desk.log.error({ err: error }, 'circuits cannot be looked after right now'))
      .finally(() => {
        looking = null;
      });
    return looking;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    look,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await looking;
    },
  };

  async function lookAtAll(): Promise<void> {
    if (isFirst)
      for (const engine of await unconfigured())
        await moveWaitingOn(work, engine, `${engine} is not configured`, signal);
    isFirst = false;
    for (const engine of engines.values()) {
      if (signal.aborted) return;
      const opened = circuits.of(engine.name);
      if (opened === null) movedAt.delete(engine.name);
      else await lookAt(engine, opened);
    }
  }

  async function lookAt(engine: Engine, opened: Opened): Promise<void> {
    const now = desk.clock.now();
    if (circuits.stateOf(engine.name) === 'half_open') {
      if (!circuits.hasTrial(engine.name) && (await takeTrial(desk.database, opened, now))) await tryIt(engine);
    } else if (isLong(opened) && now - (movedAt.get(engine.name) ?? 0) >= MOVE_EVERY_MS) {
      movedAt.set(engine.name, now);
      await moveWaitingOn(work, engine.name, opened.message, signal);
    }
  }

  /** Engines that orders wait for although this start has them no more. */
  async function unconfigured(): Promise<string[]> {
    const { read } = desk.database;
    const waiting = await read.all(
      read.builder
        .selectFrom('tasks')
        .select('queue')
        .distinct()
        .where('step', '=', 'waiting')
        .where('claimable', '=', 1),
    );
    return waiting.map(({ queue }) => engineOfQueue(queue)).filter((engine) => !engines.has(engine));
  }

  /** First it is asked whether it is well, where that costs nothing; then one order is let through. */
  async function tryIt(engine: Engine): Promise<void> {
    const context = { signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]), onProgress: () => {} };
    const probed = await engine.probe?.(context).catch((error: Error) => ({ ok: false, message: error.message }));
    // A probe that was broken off says nothing.
    if (signal.aborted) return;
    if (probed?.ok === false) return await circuits.stillDown(engine.name, probed.message);
    circuits.giveTrial(engine.name);
    wake();
  }
}
