import { type Engine, enginesInUse, needsSpool } from '@darkroom-service/engines';
import { partsOf, queuesOf } from '../queue/queue-names.ts';
import type { Valves } from '../routing/valves.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import type { EngineLoad } from './engine-load.ts';

const SIMULATED_AT_ONCE = 10_000;

type EngineOfQueues = Pick<
  Engine,
  'name' | 'concurrency' | 'adapts' | 'isLocal' | 'isDormant' | 'isBlocking' | 'isFree'
>;

/** Parts that can close the queues of an engine. */
interface Gatekeepers {
  readonly valves: Pick<Valves, 'isPaused' | 'stateOf' | 'hasTrial' | 'beginning' | 'isFull'>;
  readonly load: Pick<EngineLoad, 'limitOf' | 'isBackingOff' | 'canSpool'>;
  /** Tells whether an upstream refuses the key of this process alone. */
  readonly isRefused?: (engine: string) => boolean;
}

/**
 * Returns the fair queues that may be claimed from now: none while a valve is shut, and one order that tests the
 * upstream.
 * @param claimedOf returns how many tasks of a queue this process works on
 */
export function openQueues(
  engines: { values(): Iterable<EngineOfQueues> },
  gatekeepers: Gatekeepers,
  claimedOf: (queue: string) => number,
): ClaimableQueue[] {
  const { valves, load } = gatekeepers;
  return enginesInUse(engines).flatMap((engine) => {
    const { name } = engine;
    if (!isOpen(engine, gatekeepers)) return [];
    const beginning = valves.beginning(name);
    const shared = (name: string): ClaimableQueue[] => {
      const queue = {
        name,
        // It may be lower by the time that the slots are counted.
        get capacity() {
          return load.limitOf(engine);
        },
      };
      if (engine.isLocal !== true) return [beginning === null ? queue : { ...queue, atMost: beginning.maxOpen }];
      // The capacity of other processes is left to them.
      const atMost = engine.concurrency - claimedOf(name);
      return atMost > 0 ? [{ ...queue, atMost }] : [];
    };
    const [live, test, simulated] = queuesOf(name);
    const queues: ClaimableQueue[] = [
      ...shared(live),
      ...shared(test),
      { name: simulated, capacity: SIMULATED_AT_ONCE },
    ];
    if (valves.stateOf(name) === 'free') return queues;
    return queues.map((queue) => ({ ...queue, atMost: 1, hasTrial: () => valves.hasTrial(name) }));
  });
}

/**
 * Returns the capacity of a queue of an engine that orders may begin from without being claimed; null while it is shut
 * or this process may claim only some of them.
 */
export function immediateCapacity(engine: EngineOfQueues, queue: string, gatekeepers: Gatekeepers): number | null {
  const { valves, load } = gatekeepers;
  if (engine.isDormant?.() === true || !isOpen(engine, gatekeepers) || valves.stateOf(engine.name) !== 'free')
    return null;
  const isLimited = engine.isLocal === true || valves.beginning(engine.name) !== null;
  if (isLimited && partsOf(queue).mode !== 'simulated') return null;
  return capacityOf(queue, load.limitOf(engine));
}

function isOpen(engine: EngineOfQueues, { valves, load, isRefused }: Gatekeepers): boolean {
  const { name } = engine;
  const isFree = valves.stateOf(name) === 'free';
  if (valves.isPaused('engine', name) || isRefused?.(name) === true || !(isFree || valves.hasTrial(name))) return false;
  if (isFree && (load.isBackingOff(name) || valves.isFull(name))) return false;
  // Until it is stored, a paid result would be in memory only.
  return !needsSpool(engine) || load.canSpool();
}

/**
 * Returns the maximum number of tasks of a queue in progress: simulated orders need no painter, also when they are
 * submitted again.
 */
export function capacityOf(queue: string, limit: number): number {
  return partsOf(queue).mode === 'simulated' ? SIMULATED_AT_ONCE : limit;
}
