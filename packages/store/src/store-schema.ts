import type { Fixed } from './column.ts';

/** The tables that a store needs of every schema, whose migrations make them. */
export interface StoreSchema<Kind extends string = string> {
  work: WorkTable<Kind>;
  processes: ProcessesTable;
  schema_migrations: SchemaMigrationsTable;
}

/** Work that has to be done once, by the process that claims it first. A row is deleted when its work is done. */
export interface WorkTable<Kind extends string = string> {
  /** Rows of a `chore` stay: it is due again after its interval. */
  kind: Fixed<Kind | 'chore'>;
  /** A chore, or what the work is about. */
  subject: Fixed<string>;
  /** Who shares the capacity for it, such as an account; '' = nobody. */
  owner: Fixed<string>;
  /** When it is to be done, or the end of the lease of the process that does it; by the database's clock. */
  due_at: number;
  entered_at: Fixed<number>;
  /** Each claim draws a number: what a process writes after it has lost its claim affects no row. */
  fence: number;
  /** Attempts that failed. */
  attempts: number;
}

/**
 * Processes of the service. A separate thread writes their heartbeats, so that a busy main thread does not look dead.
 */
export interface ProcessesTable {
  /** The process's id, as in `tasks.worker`. */
  id: Fixed<string>;
  role: Fixed<string>;
  host: Fixed<string>;
  /** The machine; distinguishes machines of one name, and on Linux changes with every boot. */
  machine: Fixed<string>;
  pid: Fixed<number>;
  version: Fixed<string>;
  /**
   * The file whose lock shows whether the process is alive, as a path on its own machine; empty if it is one of the
   * original that this database was copied from.
   */
  lock_path: string;
  started_at: Fixed<number>;
  /** The last heartbeat, by the database's clock. */
  beat_at: number;
  /** Counts the heartbeats. Other processes check whether it grows, so no clock is involved. */
  beats: number;
  /** The time at which the tasks were taken over for good; a heartbeat clears it. */
  ended_at: number | null;
  /** Facts that only this process knows, as JSON: `ProcessFacts`; null = not told yet. */
  facts: string | null;
}

/** The steps that a schema was made by. */
interface SchemaMigrationsTable {
  version: Fixed<number>;
  name: Fixed<string>;
  applied_at: Fixed<number>;
}
