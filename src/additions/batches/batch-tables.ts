import type { Fixed } from '@darkroom-service/store';

declare module '../../database/schema.ts' {
  interface Schema {
    batches: BatchesTable;
    batch_portions: BatchPortionsTable;
    batch_orders: BatchOrdersTable;
  }
}

/**
 * Orders that were placed by one request. Its row and its portions guarantee the orders; the rows of its tasks follow.
 */
interface BatchesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  status: 'processing' | 'succeeded' | 'failed' | 'partial' | 'canceled';
  orders: Fixed<number>;
  /** Amount held at creation, for all orders together. */
  quoted: Fixed<number>;
  /** Maximum number of its tasks that run at once; null = no limit of its own. */
  max_parallel: Fixed<number | null>;
  metadata_json: string;
  webhook_url: string | null;
  /** Default target of outputs, for orders without `deliver_to`: their `deliver_json`. */
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

/** An order of a batch that has a row of `tasks`. */
interface BatchOrdersTable {
  task_id: Fixed<string>;
  batch_id: Fixed<string>;
  /** Position in the batch, in which the batch enqueues its orders. */
  position: Fixed<number>;
  /** Name by which other orders of the batch may use it; null = none, or erased. */
  name: string | null;
  /** Held until the batch enqueues it, then open until its end, whose status it has from then on. */
  state: 'held' | 'open' | 'succeeded' | 'failed' | 'canceled';
  /** Price in micro-dollars, as in its row of `tasks`. */
  price: Fixed<number>;
  charged: number | null;
}

/** Orders of a batch whose tasks are not inserted yet. */
interface BatchPortionsTable {
  batch_id: Fixed<string>;
  /** Position of its first order in the batch. */
  first: Fixed<number>;
  /** Rows of its tasks: their columns and values as JSON, deflated, as Base64. */
  rows_deflated: Fixed<string>;
  /** Sum of the prices of each end user's orders: `{ "ada": 20000 }`. */
  end_users_json: Fixed<string>;
}

export const BATCH_TABLES = `
create table batches (
  id text not null, api_key_id text not null, account_id text not null, mode text not null, status text not null,
  orders bigint not null, quoted bigint not null, max_parallel bigint, metadata_json text not null, webhook_url text,
  placed bigint not null, placed_amount bigint not null, counts_json text, charged bigint,
  created_at bigint not null, cancel_requested_at bigint, completed_at bigint, deliver_json text,
  constraint batches_pk primary key (id)
);
create index batches_by_key on batches (api_key_id, id);
create index batches_open on batches (status, api_key_id, id) where status = 'processing';
create table batch_portions (
  batch_id text not null, first bigint not null, rows_deflated text not null, end_users_json text not null,
  constraint batch_portions_pk primary key (batch_id, first)
);
create table batch_orders (
  task_id text not null, batch_id text not null, position bigint not null, name text, state text not null,
  price bigint not null, charged bigint, constraint batch_orders_pk primary key (task_id)
);
create index batch_orders_by_batch on batch_orders (batch_id, task_id);
create index batch_orders_by_state on batch_orders (batch_id, state, position, price, charged);
`;
