import type { Fixed } from './column.ts';

/** Engines and models that an operator has paused. */
export interface SwitchesTable {
  kind: Fixed<'engine' | 'model'>;
  name: Fixed<string>;
  paused_at: Fixed<number>;
  reason: Fixed<string | null>;
}

/** Open circuits; a closed one has no row. */
export interface CircuitsTable {
  /** An engine, or `engine/model` for a single upstream model. Versions before the latter ignore such rows. */
  engine: Fixed<string>;
  /** The class of the error that opened the circuit. */
  fault: 'auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout';
  /** The call that failed. */
  call: 'start' | 'check';
  /** The upstream's own error message. */
  message: string;
  /** How often in a row the circuit was opened. */
  openings: number;
  opened_at: number;
  /** When the next order may be tried. */
  retry_at: number;
  /** Until when a process has the right to send one trial order. */
  trial_until: number | null;
}

/** The job id that an upstream gave an order. No two tasks have the same one. */
export interface UpstreamJobsTable {
  engine: Fixed<string>;
  job: Fixed<string>;
  task_id: Fixed<string>;
}
