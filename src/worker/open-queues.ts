import { type Engine, enginesInUse, needsSpool } from '@darkroom-service/engines';
import type { Valves } from '../routing/valves.ts';
import { partsOf, queuesOf } from '../tasks/queue-names.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import type { EngineLoad } from './engine-load.ts';

const SIMULATED_AT_ONCE = 10_000;

/**
 * Returns the fair queues that may be claimed from now: none while a valve is shut, and one order that tests the
 * upstream.
 * @param claimedOf returns how many tasks of a queue this process works on
 * @param isRefused tells whether an upstream refuses the key of this process alone
 */
export function openQueues(
  engines: {
    values(): Iterable<
      Pick<Engine, 'name' | 'concurrency' | 'adapts' | 'isLocal' | 'isDormant' | 'isBlocking' | 'isFree'>
    >;
  },
  valves: Pick<Valves, 'isPaused' | 'stateOf' | 'hasTrial' | 'beginning' | 'isFull'>,
  load: Pick<EngineLoad, 'limitOf' | 'isBackingOff' | 'canSpool'>,
  claimedOf: (queue: string) => number,
  isRefused: (engine: string) => boolean = () => false,
): ClaimableQueue[] {
  return enginesInUse(engines).flatMap((engine) => {
    const { name } = engine;
    const isFree = valves.stateOf(name) === 'free';
    if (valves.isPaused('engine', name) || isRefused(name) || !(isFree || valves.hasTrial(name))) return [];
    if (isFree && (load.isBackingOff(name) || valves.isFull(name))) return [];
    const beginning = valves.beginning(name);
    // Until it is stored, a paid result would be in memory only.
    if (needsSpool(engine) && !load.canSpool()) return [];
    const shared = (name: string): ClaimableQueue[] => {
      const queue = {
        name,
        // It may be lower by the time that the slots are counted.
        get capacity() {
          return load.limitOf(engine);
        },
      };
      if (engine.isLocal !== true) return [beginning === null ? queue : { ...queue, atMost: beginning.atOnce }];
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
    return isFree ? queues : queues.map((queue) => ({ ...queue, atMost: 1, hasTrial: () => valves.hasTrial(name) }));
  });
}

/**
 * Returns how many tasks of a queue may be in progress: simulated orders need no painter, also when they are submitted
 * again.
 */
export function capacityOf(queue: string, limit: number): number {
  return partsOf(queue).mode === 'simulated' ? SIMULATED_AT_ONCE : limit;
}
