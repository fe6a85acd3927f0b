import { ServiceError } from '@darkroom-service/contract';
import type { Database } from '../../src/database/database.ts';
import type { Faults } from './faults.ts';
import type { SimulatedWorld } from './simulation.ts';

export const NEVER = new Promise<never>(() => {});
const DEAD = new Error('the process is dead');

/** The faults of one process, which may end it. */
export interface ProcessFaults extends Pick<Faults, 'happens'> {
  /** The process may die or stall at this point. */
  at(point: string): void;
}

/** Makes the writes of a process fail in each way that the database's contract knows. */
export function makeFaulty(database: Database, world: SimulatedWorld, faults: ProcessFaults): Database {
  const write: Database['write'] = async (name, unit, options) => {
    if (world.isDead) return await NEVER;
    const isLost = faults.happens('lostConnections', `the commit of ${name}`);
    const isUnknown = faults.happens('unknownCommits', `the commit of ${name}`);
    const isCommitted = isUnknown && faults.happens('unknownCommits', `made, the commit of ${name}`);
    let onFault: ((error: unknown) => void)[] = [];
    const work: typeof unit = async (trx) => {
      if (world.isDead) throw DEAD;
      onFault = [];
      if (isCommitted)
        Object.assign(trx, { afterCommit: () => {}, onFault: (run: (typeof onFault)[number]) => onFault.push(run) });
      const value = await unit(trx);
      if (isLost) throw lost(false);
      if (isUnknown && !isCommitted) throw lost(true);
      faults.at(`before the commit of ${name}`);
      if (world.isDead) throw DEAD;
      return value;
    };
    const result = await database.write(name, work, options).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in result) faults.at(`after the commit of ${name}`);
    // Nothing follows in a dead process.
    if (world.isDead) return await NEVER;
    if ('error' in result) throw result.error;
    if (!isCommitted) return result.value;
    for (const tell of onFault) tell(lost(true));
    throw lost(true);
  };
  return { ...database, write, writeAside: write };
}

function lost(outcomeUnknown: boolean): ServiceError {
  return new ServiceError('service_unavailable', 'the connection to the database was lost', {
    retryAfterSeconds: 5,
    outcomeUnknown,
  });
}
