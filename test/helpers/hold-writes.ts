import { until } from '@darkroom-service/testing';
import { sql } from 'kysely';
import type { Database } from '../../src/database/database.ts';

/** A handle on a PostgreSQL database whose transactions stay open until a test commits them. */
export interface HeldWrites extends Disposable {
  readonly database: Database;
  /** Resolves once a unit has run, and its transaction waits for `commit`; rejects with the error of the unit. */
  readonly entered: Promise<void>;
  /** Resolves once another transaction waits for a lock or a row of the open one. */
  untilAwaited(): Promise<void>;
  /** Commits the open transaction, and from now on all others at once. Leaving the scope does the same. */
  commit(): void;
}

/**
 * Holds the writes of a database handle open until they are released.
 * @param database a handle of its own, as another process has it
 */
export function holdWrites(database: Database): HeldWrites {
  const entered = Promise.withResolvers<void>();
  const committed = Promise.withResolvers<void>();
  entered.promise.catch(() => {});
  const write: Database['write'] = (name, unit, options) =>
    database.write(
      name,
      async (trx) => {
        try {
          const value = await unit(trx);
          // What was sent without waiting is entered once a later statement is answered.
          await trx.first(trx.builder.selectNoFrom(sql`1`.as('one')));
          entered.resolve();
          await committed.promise;
          return value;
        } catch (error) {
          entered.reject(error);
          throw error;
        }
      },
      options,
    );
  return {
    database: { ...database, write },
    entered: entered.promise,
    async untilAwaited() {
      await until(
        () => countWaiting(database),
        (waiting) => waiting > 0,
      );
    },
    commit: committed.resolve,
    [Symbol.dispose]: committed.resolve,
  };
}

/** Counts the connections to this database that wait for a lock of any kind. */
async function countWaiting({ read }: Database): Promise<number> {
  const waiting = sql<number>`(
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  )`;
  return Number((await read.first(read.builder.selectNoFrom(waiting.as('count'))))?.count);
}
