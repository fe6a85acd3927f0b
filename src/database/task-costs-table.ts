import type { Fixed } from './column.ts';

/**
 * What a live order cost the operator at its upstream: one row per settled order of which something is known or
 * expected. It repeats what reports need of the task, so that it can be read alone. Amounts are micro-dollars.
 */
export interface TaskCostsTable {
  task_id: Fixed<string>;
  account_id: Fixed<string>;
  model_id: Fixed<string>;
  engine: Fixed<string>;
  /** The upstream's name of the model; '' if the route has none. */
  upstream_model: Fixed<string>;
  /** `unknown`: the upstream may have made and billed it, and nobody knows. */
  outcome: 'succeeded' | 'failed' | 'canceled' | 'unknown';
  /** What the customer was charged. */
  charged: Fixed<number>;
  /** By the upstream's price list; null if the catalog does not state it for this order. */
  expected: number | null;
  /** As the upstream told; null if it did not. */
  told: number | null;
  /** What it told in its own unit: a decimal text. */
  told_units: string | null;
  settled_at: Fixed<number>;
}
