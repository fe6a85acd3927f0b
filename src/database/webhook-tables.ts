import type { Fixed } from '@darkroom-service/store';

/** The notification of a task's end or refund, until the receiver has accepted it or the last attempt has failed. */
export interface WebhookDeliveriesTable {
  /** The `webhook-id` of all attempts, by which receivers recognize repetitions. */
  id: Fixed<string>;
  account_id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** The task or the batch. */
  task_id: Fixed<string>;
  type: Fixed<
    | 'task.succeeded'
    | 'task.failed'
    | 'task.canceled'
    | 'task.refunded'
    | 'task.delivered'
    | 'task.delivery_failed'
    | 'batch.succeeded'
    | 'batch.failed'
    | 'batch.partial'
    | 'batch.canceled'
  >;
  url: Fixed<string>;
  status: 'pending' | 'delivered' | 'failed';
  created_at: Fixed<number>;
  delivered_at: number | null;
}

export interface WebhookAttemptsTable {
  id: Fixed<string>;
  delivery_id: Fixed<string>;
  started_at: Fixed<number>;
  duration_ms: Fixed<number>;
  response_status: Fixed<number | null>;
  /** Why there was no response, or why it was refused. */
  error: Fixed<string | null>;
}

/** Secrets of one mode: `webhook_secrets` for live mode, `webhook_test_secrets` for test mode. */
export interface WebhookSecretsTable {
  account_id: Fixed<string>;
  /** `whsec_…` in the notation of Standard Webhooks. */
  secret: Fixed<string>;
  created_at: Fixed<number>;
  /** The end of the secret, set by a rotation; null = it is the current one. */
  valid_until: number | null;
}
