import type { Engine } from '../engines/engine.ts';
import type { Circuits } from './circuits.ts';
import type { ClaimableQueue } from './claim-tasks.ts';
import type { Switches } from './switches.ts';

const SIMULATED_AT_ONCE = 10_000;

/** The fair queues that may be claimed from now: none of an engine that gets no orders, and one order where its upstream is tried. */
export function openQueues(
  engines: ReadonlyMap<string, Pick<Engine, 'name' | 'concurrency'>>,
  switches: Pick<Switches, 'isPaused'>,
  circuits: Pick<Circuits, 'stateOf' | 'hasTrial'>,
): ClaimableQueue[] {
  return [...engines.values()].flatMap(({ name, concurrency }) => {
    const isClosed = circuits.stateOf(name) === 'closed';
    if (switches.isPaused('engine', name) || !(isClosed || circuits.hasTrial(name))) return [];
    const queues: ClaimableQueue[] = [
      { name: `${name}:live`, capacity: concurrency },
      { name: `${name}:test`, capacity: concurrency },
      { name: `${name}:simulated`, capacity: SIMULATED_AT_ONCE },
    ];
    return isClosed ? queues : queues.map((queue) => ({ ...queue, atMost: 1 }));
  });
}
