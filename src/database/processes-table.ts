import type { Fixed } from './column.ts';

/**
 * Processes of the service. A separate thread writes their heartbeats, so that a busy main thread does not look dead.
 */
export interface ProcessesTable {
  /** As in `tasks.worker`. */
  id: Fixed<string>;
  role: Fixed<string>;
  host: Fixed<string>;
  /** Distinguishes machines of the same name; on Linux it changes with every boot. */
  machine: Fixed<string>;
  pid: Fixed<number>;
  version: Fixed<string>;
  /** The file whose lock shows whether the process is alive, as a path on its own machine. */
  lock_path: Fixed<string>;
  started_at: Fixed<number>;
  /** The last heartbeat, by the database's clock. */
  beat_at: number;
  /** Counts the heartbeats. Other processes check whether it grows, so no clock is involved. */
  beats: number;
  /** When its tasks were taken over for good; a heartbeat clears it. */
  ended_at: number | null;
}
