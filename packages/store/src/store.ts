import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { Shared } from './prepare-shared.ts';
import type { Prepared } from './prepared.ts';
import type { Scanned, TextScan } from './scan-texts.ts';

/** Runs queries on the tables of `S`: built ad hoc, or prepared and run with arguments. */
export interface Session<S> extends Statements {
  /** Builds queries; cannot run them. */
  readonly builder: Kysely<S>;
}

/** The part of a session that is the same for any tables. */
export interface Statements {
  /** The database's time in milliseconds, as an SQL expression. Leases are measured by it. */
  readonly now: RawBuilder<number>;
  all<A extends object, R>(query: Prepared<A, R>, values: A): Promise<R[]>;
  all<R>(query: Compilable<R>): Promise<R[]>;
  /** Returns the first row. */
  first<A extends object, R>(query: Prepared<A, R>, values: A): Promise<R | undefined>;
  first<R>(query: Compilable<R>): Promise<R | undefined>;
  /** Returns the number of affected rows. */
  run<A extends object>(query: Prepared<A, unknown>, values: A): Promise<number>;
  run(query: Compilable<unknown>): Promise<number>;
}

/**
 * A session inside a transaction. Code inside a transaction uses only this session and awaits nothing but the database.
 */
export interface Transaction<S> extends Session<S> {
  /**
   * Acquires a named lock: until this unit ends it excludes other units of its group, and until the transaction ends it
   * excludes other transactions. Does nothing on SQLite, which has one writer.
   * Lock before writing: a unit that cannot get the lock yet is deferred and runs again from its start.
   * All units take the same locks in one order: otherwise two would wait for each other.
   */
  lock(name: string): Promise<void>;
  /** Acquires a lock unless another transaction holds it, without waiting. @returns whether the lock is held */
  tryLock(name: string): Promise<boolean>;
  /**
   * Whether the unit may wait for a row that another transaction holds: the first of its group may, while no other has
   * done anything. Other units select the row `for update skip locked`, and throw `DeferUnit` if they get none. Always
   * true on SQLite, which has one writer.
   */
  mayWait(): boolean;
  /** Returns a value shared by the units of one group: created on first use, discarded with the group. */
  once<T extends object>(name: string, make: () => T): T;
  /**
   * Returns the first row. Units of a group that run concurrently share a statement for all their calls of the same
   * moment.
   */
  firstShared<A extends object, R>(query: Shared<A, R>, values: A): Promise<R | undefined>;
  /** Runs a write without waiting for its result. Later statements see it; if it fails, the unit is rolled back. */
  send<A extends object>(query: Prepared<A, unknown>, values: A): void;
  /**
   * Registers a write that runs after all units of the group, before the commit. So the units of a group change a row
   * once instead of once each. Later registrations of the same name are ignored; writes run in the order of their
   * names, so that transactions change shared rows in the same sequence.
   */
  beforeCommit(name: string, write: (session: Pick<Transaction<S>, 'send'>) => void): void;
  /** Registers a callback that runs once the transaction is on disk, and never if it is rolled back. */
  afterCommit(callback: () => void): void;
  /**
   * Declares that the unit erases data, so that earlier versions of it are removed from all files of the database: on
   * SQLite from the write-ahead log, as soon as no reader needs it, and from the other pages with the commit.
   * PostgreSQL does so by itself when it vacuums.
   * @param when `soon`: within seconds. `later`: within minutes, for continual erasures
   */
  erases(when: 'soon' | 'later'): void;
  /** Registers a callback that runs with the error if the unit fails after it has written, and does not run again. */
  onFault(callback: (error: unknown) => void): void;
}

/**
 * Work that is committed completely or not at all. It may run again when another unit of its group fails, so it must
 * have no effects outside the database.
 */
export type Unit<T, S> = (trx: Transaction<S>) => Promise<T>;

/** The party that requests a report, and whether it reads much. */
export interface ReportTurn {
  /** The API key that requests it; null = the operator, whose reports run before those of keys. */
  readonly owner: string | null;
  /** Whether it reads so many rows that it runs in addition to the short reports, one such report at a time. */
  readonly isLong: boolean;
}

/** A session whose queries take turns with those of other reports. Without `inTurn` they count as the operator's. */
export interface Reports<S> extends Session<S> {
  /** Returns the session of one report. */
  inTurn(turn: ReportTurn): Session<S>;
}

/** A database of SQLite or PostgreSQL with the tables of `S`. */
export interface Store<S> {
  readonly kind: 'sqlite' | 'postgres';
  /** Reads committed data. */
  readonly read: Session<S>;
  /** Runs slow reads for reports: off the event loop on SQLite, on a few separate connections on PostgreSQL. */
  readonly reports: Reports<S>;
  /**
   * Sessions for reads that may be some seconds old, such as lists and reports: a replica answers, if there is one.
   * Nothing that decides about money or orders may read them.
   */
  readonly replica: { readonly read: Session<S>; readonly reports: Reports<S> };
  /**
   * Searches texts that customers wrote, off the event loop and up to a limit of CPU time; a replica answers, if there
   * is one. Scans run in slices, which take turns.
   */
  scanTexts(scan: TextScan): Promise<Scanned>;
  /**
   * Runs a unit in the next group commit. A unit that throws has changed nothing.
   * @param name identifies the commit point in metrics and in tests that kill the process there.
   * @param options.together the unit may run concurrently with other such units of its group; it must lock what it
   * cannot share with them.
   * @throws what the unit throws; ServiceError `service_unavailable` or `storage_full` when the database fails.
   */
  write<T>(name: string, unit: Unit<T, S>, options?: { readonly together: boolean }): Promise<T>;
  /**
   * Runs a unit on a connection of its own, so that it waits for no group of `write`. A crash of the server may undo
   * its commit, though never without every commit after it. On SQLite it is the same as `write`.
   */
  writeAside<T>(name: string, unit: Unit<T, S>): Promise<T>;
  /**
   * Returns a number that changes after every commit of this process, on SQLite also after those of other processes. On
   * PostgreSQL it changes when notices of others arrive, or may have been missed; for all commits, listen to `COMMITS`.
   */
  changeCounter(): number;
  /**
   * Returns how often writes replaced a lost connection. After a failover, it may lead to another server. Always 0 on
   * SQLite.
   */
  reconnects(): number;
  /** Whether this process listens to others, and the reason for which no notices arrive now; null while they do. */
  readonly notices: { readonly listens: boolean; readonly fault: string | null };
  /**
   * Notifies other processes that listen to a channel, some milliseconds later and many at once. Topics contain no
   * spaces, such as task ids. Delivery is not guaranteed, and SQLite does not support it, so waiting code must also
   * poll.
   */
  announce(channel: string, topics: readonly string[]): void;
  /**
   * Listens to a channel.
   * @param onListening called once every later announcement is received; never if none can be
   * @returns a function that stops listening
   */
  listenTo(channel: string, onListening?: () => void): () => void;
  /** Calls back with the topics of all channels that this process listens to. @returns a function that unsubscribes. */
  onRemoteChange(listener: (topics: readonly string[]) => void): () => void;
  /** Writes a consistent copy of all data to a file. @throws Error on PostgreSQL, which has its own tool for that */
  backup(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The channel on which every commit is announced. */
export const COMMITS = 'commits';

/** A function called before and after each commit; a test may kill the process in it. */
export type CommitHook = (moment: 'before' | 'after', names: readonly string[]) => void;

/**
 * Thrown within a unit that would have to wait for another transaction's lock or row while its group holds locks or
 * rows. The unit runs first in the next group.
 */
export class DeferUnit extends Error {}
