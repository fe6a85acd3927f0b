import type { Fixed } from '@darkroom-service/store';
import type { Generated } from 'kysely';

/**
 * An order's cost to the operator at its upstream: one row per settled live order with a known or expected cost. It
 * repeats what reports need of the task, so that it can be read alone. Amounts are micro-dollars.
 */
export interface TaskCostsTable {
  task_id: Fixed<string>;
  account_id: Fixed<string>;
  model_id: Fixed<string>;
  engine: Fixed<string>;
  /** The upstream's name of the model; '' if the route has none. */
  upstream_model: Fixed<string>;
  /** `unknown`: the upstream may have completed and billed the order. */
  outcome: 'succeeded' | 'failed' | 'canceled' | 'unknown';
  /** The charge to the customer; 0 once it was refunded. */
  charged: number;
  /** The cost by the upstream's price list; null if the catalog does not state it for this order. */
  expected: number | null;
  /** The cost that the upstream reported; null if it did not. */
  told: number | null;
  /** The cost in the upstream's own unit: a decimal text. */
  told_units: string | null;
  settled_at: Fixed<number>;
  /** 1 = less was delivered than ordered, and charged accordingly: the price was not below the cost. */
  is_short: Generated<number>;
  /**
   * The cost with which an order of unknown cost counts in the spend limit of its instance: the catalog's price,
   * whatever its customer pays. Null if the cost is known.
   */
  assumed: Generated<number | null>;
}

/** Idempotency keys of callers and their subjects. */
export interface IdempotencyTable {
  /** The API key's id, with a client token that of its end user, or `admin` for the requests of all operators. */
  scope: Fixed<string>;
  idempotency_key: Fixed<string>;
  fingerprint: Fixed<string>;
  /** Id of the task, the batch, or another record that the request created or changed. */
  subject_id: string;
  /** The time at which the key is forgotten; null = with its task. */
  expires_at: Fixed<number | null>;
}

/** The last checks of slow unfinished orders, for operators: about a few hundred rows at most. */
export interface TaskChecksTable {
  task_id: Fixed<string>;
  /** The last check, by the service's clock; null = only an operator asked. */
  checked_at: number | null;
  /**
   * `pending`: the upstream answered. `failed`: it could not be asked. `storage`: the result could not be stored.
   * `result`: it could not be fetched.
   */
  outcome: 'pending' | 'failed' | 'storage' | 'result' | null;
  /** The upstream's name of its job's state, or the reason of the failure. */
  said: string | null;
  /** The time at which an operator last asked for an immediate check at the upstream. */
  asked_at: number | null;
}
