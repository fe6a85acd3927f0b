import type { Fixed } from './column.ts';

/** What has to be told of a task's end, until the receiver has it or the last try has failed. */
export interface WebhookDeliveriesTable {
  /** The `webhook-id` of all its attempts: receivers know a repetition by it. */
  id: Fixed<string>;
  account_id: Fixed<string>;
  api_key_id: Fixed<string>;
  task_id: Fixed<string>;
  type: Fixed<'task.succeeded' | 'task.failed' | 'task.canceled'>;
  url: Fixed<string>;
  status: 'pending' | 'delivered' | 'failed';
  /** Attempts since the event or the last redelivery. */
  attempts: number;
  /** The next attempt, or the end of the lease of the process that makes one; by the database's clock. */
  next_at: number | null;
  fence: number;
  created_at: Fixed<number>;
  delivered_at: number | null;
}

export interface WebhookAttemptsTable {
  id: Fixed<string>;
  delivery_id: Fixed<string>;
  started_at: Fixed<number>;
  duration_ms: Fixed<number>;
  response_status: Fixed<number | null>;
  /** Why there was no answer, or that it was refused. */
  error: Fixed<string | null>;
}

export interface WebhookSecretsTable {
  account_id: Fixed<string>;
  /** `whsec_…` as Standard Webhooks writes it. */
  secret: Fixed<string>;
  created_at: Fixed<number>;
  /** Set by a rotation; null = the one in force. */
  valid_until: number | null;
}
