import { ServiceError } from '@darkroom-service/contract';
import { reportsInTurn } from '@darkroom-service/store';
import type { Database } from '../../src/database/database.ts';
import type { Faults } from './faults.ts';
import type { SimulatedWorld } from './simulation.ts';

/** Returns what a dead process waits for: a promise of its own, since a shared one would keep all that wait for it. */
export const never = () => new Promise<never>(() => {});
const DEAD = new Error('the process is dead');
/** So long a database may take nothing: until others have taken over. */
const LONGEST_SHUT_MS = 20_000;
const REFUSALS = [
  ['lostConnections', 'away, not committed'],
  ['fullDisks', 'full'],
] as const;

/** The faults of one process, which may end it. */
export interface ProcessFaults extends Pick<Faults, 'happens'> {
  /** Counts what the process meets, such as a commit. */
  meet(cell: string): void;
  isDead(): boolean;
  /** The process may die, stall or be stopped at this point. */
  at(point: string): void;
}

type Refusal = 'full' | 'away, not committed' | 'outcome unknown, not committed' | 'outcome unknown, committed';
type Lasting = Extract<Refusal, 'full' | 'away, not committed'>;

/** The database of a process. */
export interface FaultyDatabase {
  readonly database: Database;
  /** It takes nothing for some time. */
  readonly shut: (why: Lasting) => void;
}

/** Makes the writes of a process fail in each way that the database's contract knows. */
export function makeFaulty(database: Database, world: SimulatedWorld, faults: ProcessFaults): FaultyDatabase {
  let shut: { readonly why: Lasting; readonly untilMs: number } | null = null;

  /** Returns why a commit is refused; null = it is not. Some refusals are followed by others. */
  function refuses(name: string): Lasting | null {
    const why = shutNow();
    if (why !== null) return why;
    for (const [kind, why] of REFUSALS)
      if (faults.happens(kind, `the commit of ${name}`)) {
        if (faults.happens(kind, 'the commits that follow')) shutFor(why);
        return why;
      }
    return null;
  }

  function shutNow(): Lasting | null {
    return shut !== null && world.monotonic() < shut.untilMs ? shut.why : null;
  }

  function shutFor(why: Lasting): void {
    shut = { why, untilMs: world.monotonic() + world.random() * LONGEST_SHUT_MS };
  }

  const write: Database['write'] = async (name, unit, options) => {
    if (world.isDead) return await never();
    const refused = refuses(name);
    const isCommitted = faults.happens('unknownCommits', `the commit of ${name}, which is made`);
    const isUnknown = !isCommitted && faults.happens('unknownCommits', `the commit of ${name}, which is not made`);
    let onFault: ((error: unknown) => void)[] = [];
    const work: typeof unit = async (trx) => {
      if (world.isDead) throw DEAD;
      onFault = [];
      if (isCommitted)
        Object.assign(trx, { afterCommit: () => {}, onFault: (run: (typeof onFault)[number]) => onFault.push(run) });
      const value = await unit(trx);
      if (isUnknown) throw refusal('outcome unknown, not committed');
      faults.at(`before the commit of ${name}`);
      if (world.isDead) throw DEAD;
      const why = refused ?? shutNow();
      if (why !== null) throw refusal(why);
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

  // Reports would be read in a thread, which no seed repeats.
  return {
    database: { ...database, reports: reportsInTurn(() => database.read), write, writeAside: write },
    shut: shutFor,
  };
}
