import { ServiceError } from '@darkroom-service/contract';
import type { Database } from '../../src/database/database.ts';
import type { Faults } from './faults.ts';
import type { SimulatedWorld } from './simulation.ts';

/** Returns what a dead process waits for: a promise of its own, since a shared one would keep all that wait for it. */
export const never = () => new Promise<never>(() => {});
const DEAD = new Error('the process is dead');

/** The faults of one process, which may end it. */
export interface ProcessFaults extends Pick<Faults, 'happens'> {
  /** Counts what the process meets, such as a commit. */
  meet(cell: string): void;
  isDead(): boolean;
  /** The process may die or stall at this point. */
  at(point: string): void;
}

type Refusal = 'full' | 'away, not committed' | 'outcome unknown, not committed' | 'outcome unknown, committed';

/** Makes the writes of a process fail in each way that the database's contract knows. */
export function makeFaulty(database: Database, world: SimulatedWorld, faults: ProcessFaults): Database {
  const write: Database['write'] = async (name, unit, options) => {
    if (world.isDead) return await never();
    const isLost = faults.happens('lostConnections', `the commit of ${name}`);
    const isCommitted = faults.happens('unknownCommits', `the commit of ${name}, which is made`);
    const isUnknown = !isCommitted && faults.happens('unknownCommits', `the commit of ${name}, which is not made`);
    const isFull = faults.happens('fullDisks', `the commit of ${name}`);
    let onFault: ((error: unknown) => void)[] = [];
    const work: typeof unit = async (trx) => {
      if (world.isDead) throw DEAD;
      onFault = [];
      if (isCommitted)
        Object.assign(trx, { afterCommit: () => {}, onFault: (run: (typeof onFault)[number]) => onFault.push(run) });
      const value = await unit(trx);
      if (isFull) throw refusal('full');
      if (isLost) throw refusal('away, not committed');
      if (isUnknown) throw refusal('outcome unknown, not committed');
      faults.at(`before the commit of ${name}`);
      if (world.isDead) throw DEAD;
      return value;
    };
    const result = await database.write(name, work, options).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in result) faults.meet(`commit of ${name}`);
    if ('value' in result) faults.at(`after the commit of ${name}`);
    // Nothing follows in a dead process.
    if (world.isDead) return await never();
    if ('error' in result) throw result.error;
    if (!isCommitted) return result.value;
    const error = refusal('outcome unknown, committed');
    for (const tell of onFault) tell(error);
    throw error;
  };

  function refusal(why: Refusal): ServiceError {
    faults.meet(`database: ${why}`);
    if (why === 'full') return new ServiceError('storage_full', 'the disk of the database is full');
    return new ServiceError('service_unavailable', 'the connection to the database was lost', {
      retryAfterSeconds: 5,
      outcomeUnknown: why !== 'away, not committed',
    });
  }

  return { ...database, write, writeAside: write };
}
