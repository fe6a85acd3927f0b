import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { Prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** Runs queries: built on the spot, or prepared and given arguments. */
export interface Session {
  /** Builds queries; runs none. */
  readonly builder: Kysely<Schema>;
  /** The database's own clock in milliseconds, as an expression: leases are measured by it. */
  readonly now: RawBuilder<number>;
  all<A extends object, R>(query: Prepared<A, R>, values: A): Promise<R[]>;
  all<R>(query: Compilable<R>): Promise<R[]>;
  /** The first row. */
  first<A extends object, R>(query: Prepared<A, R>, values: A): Promise<R | undefined>;
  first<R>(query: Compilable<R>): Promise<R | undefined>;
  /** How many rows were changed. */
  run<A extends object>(query: Prepared<A, unknown>, values: A): Promise<number>;
  run(query: Compilable<unknown>): Promise<number>;
}

/** A session inside a transaction. Inside one only this is used, and nothing is awaited but the database. */
export interface Transaction extends Session {
  /**
   * Holds back others that lock the same name: units of this group until this unit has ended, other transactions until this one has; where
   * there is one writer anyway it does nothing.
   * Locks are taken before anything is written: a unit whose turn this is not yet is put off, and run again from its beginning.
   */
  lock(name: string): Promise<void>;
  /** What units of one group share: made by the first that asks for it, and gone with the group. */
  once<T extends object>(name: string, make: () => T): T;
  /** Runs a write whose answer nobody needs, without waiting for it. Whatever comes after sees it; a fault of it takes the unit back. */
  send<A extends object>(query: Prepared<A, unknown>, values: A): void;
  /** Runs once the transaction is on disk, and not at all when it is rolled back. */
  afterCommit(callback: () => void): void;
}

/** Work that is committed whole or not at all. It may run again when a neighbour of its group fails, so it changes nothing outside. */
export type Unit<T> = (trx: Transaction) => Promise<T>;

export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Reads what is committed. */
  readonly read: Session;
  /**
   * Runs a unit in the next group commit. A unit that throws has changed nothing.
   * @param name the commit point, for figures and for tests that kill there.
   * @param options.together it may run at the same time as other such units of its group: what it must not share with them it locks.
   * @throws what the unit throws; ServiceError `service_unavailable` or `storage_full` when the database cannot.
   */
  write<T>(name: string, unit: Unit<T>, options?: { readonly together: boolean }): Promise<T>;
  /** Changes whenever this process has committed something, and at once or very soon after another one has. */
  changeCounter(): number;
  /**
   * Tells other processes, some milliseconds later and many at once, what was committed: names without spaces, such as the ids of tasks.
   * It may get lost, and not every database can do it: whoever waits for something asks again from time to time all the same.
   */
  announce(topics: readonly string[]): void;
  /** Calls back with what other processes announce. @returns a function that ends it. */
  onRemoteChange(listener: (topics: readonly string[]) => void): () => void;
  /** Writes a consistent copy of everything to a file. @throws Error where the database has a tool of its own for that. */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Named moments around a commit: a test may kill the process there. */
export type CommitHook = (moment: 'before' | 'after', names: readonly string[]) => void;
