import { type Engine, enginesInUse, needsSpool } from '@darkroom-service/engines';
import type { Circuits } from '../routing/circuits.ts';
import type { Switches } from '../routing/switches.ts';
import { withoutKey } from '../tasks/owned-instance.ts';
import { partsOf, queuesOf } from '../tasks/queue-names.ts';
import type { ClaimableQueue } from './claimable-queue.ts';
import type { EngineLoad } from './engine-load.ts';

const SIMULATED_AT_ONCE = 10_000;

/**
 * Returns the fair queues that may be claimed from now: none if the circuit is open, and one order if it is half open.
 * @param claimedOf returns how many tasks of a queue this process works on
 * @param isRefused tells whether an upstream refuses the key of this process alone
 */
export function openQueues(
  engines: {
    values(): Iterable<
      Pick<Engine, 'name' | 'concurrency' | 'adapts' | 'isLocal' | 'isDormant' | 'isBlocking' | 'isFree'>
    >;
  },
  switches: Pick<Switches, 'isPaused'>,
  circuits: Pick<Circuits, 'stateOf' | 'hasTrial' | 'beginning' | 'isFull'>,
  load: Pick<EngineLoad, 'limitOf' | 'isBackingOff' | 'canSpool'>,
  claimedOf: (queue: string) => number,
  isRefused: (engine: string) => boolean = () => false,
): ClaimableQueue[] {
  return enginesInUse(engines).flatMap((engine) => {
    const { name } = engine;
    const isClosed = circuits.stateOf(name) === 'closed';
    const isPaused = switches.isPaused('engine', name) || switches.isPaused('engine', withoutKey(name));
    if (isPaused || isRefused(name) || !(isClosed || circuits.hasTrial(name))) return [];
    if (isClosed && (load.isBackingOff(name) || circuits.isFull(name))) return [];
    const beginning = circuits.beginning(name);
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
    return isClosed
      ? queues
      : queues.map((queue) => ({ ...queue, atMost: 1, hasTrial: () => circuits.hasTrial(name) }));
  });
}

/**
 * Returns how many tasks of a queue may be in progress: simulated orders need no painter, also when they are submitted
 * again.
 */
export function capacityOf(queue: string, limit: number): number {
  return partsOf(queue).mode === 'simulated' ? SIMULATED_AT_ONCE : limit;
}
