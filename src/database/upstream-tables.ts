import type { Fixed } from '@darkroom-service/store';

/** Engines and models that an operator has paused. */
export interface SwitchesTable {
  kind: Fixed<'engine' | 'model'>;
  name: Fixed<string>;
  paused_at: Fixed<number>;
  reason: Fixed<string | null>;
}

/** Open circuits, and engines whose waiting orders begin slowly; any other closed one has no row. */
export interface CircuitsTable {
  /** An engine, or `engine/model` for a single upstream model. */
  engine: Fixed<string>;
  /**
   * Why the engine gets no orders: it fails, it asked for a pause, the operator's spend limit is reached, or an own
   * server has not loaded the model. `slow_begin`: the circuit is closed, and orders begin slowly.
   */
  kind: 'outage' | 'pause' | 'spend_limit' | 'not_loaded' | 'slow_begin';
  /** The class of the error that opened the circuit. */
  fault: 'auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout';
  /** The call that failed. */
  call: 'start' | 'check';
  /** The upstream's own error message. */
  message: string;
  /** How often in a row the circuit was opened. */
  openings: number;
  opened_at: number;
  /** The time from which the next order may be tried. */
  retry_at: number;
  /** The time until which a process has the right to send one trial order. */
  trial_until: number | null;
  /** Of a `slow_begin`: how many submissions may be open at once, over all processes. Null of an open circuit. */
  at_once: number | null;
}

/** The job id that an upstream gave an order. No two tasks have the same one. */
export interface UpstreamJobsTable {
  engine: Fixed<string>;
  job: Fixed<string>;
  task_id: Fixed<string>;
}

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
  /** The last sign of life by the database's clock. A process not seen for a while has ended. */
  seen_at: number;
}

/** The balances of the operator's accounts at upstreams that report them. */
export interface UpstreamBalancesTable {
  engine: Fixed<string>;
  /** A decimal number, as last told; null = never told. */
  amount: string | null;
  unit: string | null;
  told_at: number | null;
  asked_at: number;
  /** Why the last request failed; null if it did not. */
  error: string | null;
}
