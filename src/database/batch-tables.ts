import type { Fixed } from '@darkroom-service/store';

/** Orders that were placed by one request. Its row and its portions are the promise; the rows of its tasks follow. */
export interface BatchesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  status: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled';
  orders: Fixed<number>;
  /** Amount held at creation, for all orders together. */
  quoted: Fixed<number>;
  /** How many of its tasks run at once; null = no limit of its own. */
  max_parallel: Fixed<number | null>;
  metadata_json: string;
  webhook_url: string | null;
  /** The default target of outputs, for orders without `deliver_to`: their `deliver_json`. */
  deliver_json: string | null;
  /** The number of orders whose tasks have been inserted, and the sum of their prices. */
  placed: number;
  placed_amount: number;
  /** The number of tasks by status and the sum of their charges; null until the batch has ended. */
  counts_json: string | null;
  charged: number | null;
  created_at: Fixed<number>;
  cancel_requested_at: number | null;
  completed_at: number | null;
}

/** Orders of a batch whose tasks are not inserted yet. */
export interface BatchPortionsTable {
  batch_id: Fixed<string>;
  /** The place of its first order in the batch. */
  first: Fixed<number>;
  /** The rows of its tasks: their columns and values as JSON, deflated, as Base64. */
  rows_deflated: Fixed<string>;
  /** `{ "ada": 20000 }`: the sum of the prices of each end user's orders. */
  end_users_json: Fixed<string>;
}
