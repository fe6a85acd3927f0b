import type { Fixed } from './column.ts';

/** The tables that every schema must have; its migrations create them. */
export interface StoreSchema<Kind extends string = string> {
  work: WorkTable<Kind>;
  processes: ProcessesTable;
  schema_migrations: SchemaMigrationsTable;
}

/** Work that has to be done once, by the process that claims it first. A row is deleted when its work is done. */
export interface WorkTable<Kind extends string = string> {
  /** Rows of a `chore` stay: it is due again after its interval. */
  kind: Fixed<Kind | 'chore'>;
  /** The chore, or the subject of the work. */
  subject: Fixed<string>;
  /** Party whose capacity the work uses, such as an account; '' = none. */
  owner: Fixed<string>;
  /** Time at which the work is due, or the end of its worker's lease; milliseconds by the database's clock. */
  due_at: number;
  entered_at: Fixed<number>;
  /** Number drawn by each claim: writes of a process that has lost its claim affect no row. */
  fence: number;
  /** Number of failed attempts. */
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
  /** Number of heartbeats. Other processes check whether it grows, so no clock is involved. */
  beats: number;
  /** Time at which other processes took over all of its tasks; null until then. A heartbeat clears it. */
  ended_at: number | null;
  /** Facts that only this process knows, as JSON: `ProcessFacts`; null = not published yet. */
  facts: string | null;
}

/** The migration steps that were applied. */
interface SchemaMigrationsTable {
  version: Fixed<number>;
  name: Fixed<string>;
  applied_at: Fixed<number>;
}
