import type { Fixed } from '@darkroom-service/store';

/**
 * Valves that keep orders from engines, their models and the models of the catalog: a row for each that is shut, and
 * why. A subject may have several; orders wait while any of them is shut, and each is opened by its own cause only.
 */
export interface ValvesTable {
  /** An engine, `engine/model` for a single upstream model, or `model:id` for a model of the catalog. */
  subject: Fixed<string>;
  /**
   * Cause of the pause: the subject fails, an own server has not loaded the model, the operator's spend limit is
   * reached, the upstream asked for a pause, the operator's limit of submissions a minute is used up, or it was
   * switched off. `slow_begin`: the valve is open, and orders begin slowly.
   */
  kind: Fixed<'outage' | 'not_loaded' | 'spend_limit' | 'pause' | 'rate' | 'switched_off' | 'slow_begin'>;
  since: number;
  /** The time from which the next order may be tried; null = only its cause opens it. */
  retry_at: number | null;
  /** The class of the error that shut it; null where there was none. */
  fault: 'auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout' | null;
  /** The call that failed; null where there was none. */
  call: 'start' | 'check' | null;
  /** The upstream's own error message, or the reason that an operator gave. */
  message: string | null;
  /** Number of times in a row that it was shut. */
  times: number;
  /** The time until which a process has the right to send one trial order. */
  trial_until: number | null;
  /** Maximum number of open submissions during a `slow_begin`, over all processes; null for other kinds. */
  at_once: number | null;
}

/** The job id that an upstream gave an order. No two tasks have the same one. */
export interface UpstreamJobsTable {
  engine: Fixed<string>;
  job: Fixed<string>;
  task_id: Fixed<string>;
}

/** Limits and balances of engines: a row that all processes share, and one for each process that runs models itself. */
export interface InstancesTable {
  engine: Fixed<string>;
  /** The process; empty in the row that all share. */
  worker: Fixed<string>;
  /**
   * In the shared row: the limit of orders in progress, if it adapts to the upstream and has changed. In the row of a
   * process: the number of orders that it accepts for an engine that runs inside it.
   */
  concurrency: number | null;
  /** The time of the last change of the limit, by the service's clock; null = it never changed. */
  changed_at: number | null;
  /** The last heartbeat of the process, by the database's clock. A process without one for a while has ended. */
  seen_at: number | null;
  /** The operator's balance at the upstream, a decimal number, as last reported; null = never reported. */
  amount: string | null;
  unit: string | null;
  told_at: number | null;
  /** The time of the last request for the balance; null = never. */
  asked_at: number | null;
  /** Reason why the last request failed; null if it did not. */
  error: string | null;
}
