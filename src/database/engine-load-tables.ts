import type { Fixed } from './column.ts';

/** The current concurrency limit of an engine whose limit adapts to its upstream; an unchanged limit has no row. */
export interface EngineLimitsTable {
  engine: Fixed<string>;
  concurrency: number;
  changed_at: number;
}

/** How many concurrent orders each process accepts for an engine that runs inside the processes. */
export interface LocalEnginesTable {
  engine: Fixed<string>;
  worker: Fixed<string>;
  concurrency: number;
  /** By the database's clock. A process not seen for a while has ended. */
  seen_at: number;
}
