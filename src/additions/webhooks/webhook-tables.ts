import type { Fixed } from '@darkroom-service/store';

declare module '../../database/schema.ts' {
  interface Schema {
    webhook_deliveries: WebhookDeliveriesTable;
    webhook_attempts: WebhookAttemptsTable;
    webhook_secrets: WebhookSecretsTable;
    webhook_headers: WebhookHeadersTable;
  }
}

/**
 * Notification of the end of a task or a batch, or of an addition's event, until the receiver has accepted it or the
 * last attempt has failed.
 */
interface WebhookDeliveriesTable {
  /** The `webhook-id` of all attempts, by which receivers recognize repetitions. */
  id: Fixed<string>;
  account_id: Fixed<string>;
  api_key_id: Fixed<string>;
  /** Id of the task or the batch. */
  task_id: Fixed<string>;
  /** Type of the event, such as `task.succeeded`; those of additions begin with their names. */
  type: Fixed<`${string}.${string}`>;
  url: Fixed<string>;
  status: 'pending' | 'delivered' | 'failed';
  created_at: Fixed<number>;
  delivered_at: number | null;
  /** Content of the event, as JSON; null = the task or the batch, as it is at the time of each attempt. */
  data_json: Fixed<string | null>;
  /** Mode of the key. */
  mode: Fixed<'live' | 'test'>;
}

interface WebhookAttemptsTable {
  id: Fixed<string>;
  delivery_id: Fixed<string>;
  started_at: Fixed<number>;
  duration_ms: Fixed<number>;
  response_status: Fixed<number | null>;
  /** Reason why there was no response, or why it was refused. */
  error: Fixed<string | null>;
}

/** Secrets that sign webhooks. Each mode has its own: test keys must not reveal the one that signs live events. */
interface WebhookSecretsTable {
  account_id: Fixed<string>;
  /** `whsec_…` in the notation of Standard Webhooks. */
  secret: Fixed<string>;
  created_at: Fixed<number>;
  /** End of the secret, set by a rotation; null = it is the current one. */
  valid_until: number | null;
  mode: Fixed<'live' | 'test'>;
}

/** Headers that the receiver at an account's default URL requires. */
interface WebhookHeadersTable {
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  /** URL to which the headers are sent, and to no other. */
  url: Fixed<string>;
  /** Names and values as JSON, sealed with the operator's key. */
  sealed: string;
  names_json: Fixed<string>;
}

export const WEBHOOK_TABLES = `
create table webhook_deliveries (
  id text not null, account_id text not null, api_key_id text not null, task_id text not null, type text not null,
  url text not null, status text not null, created_at bigint not null, delivered_at bigint,
  data_json text, mode text not null default 'live', constraint webhook_deliveries_pk primary key (id)
);
create index webhook_deliveries_by_key on webhook_deliveries (api_key_id, id);
create index webhook_deliveries_by_task on webhook_deliveries (task_id);
create index webhook_deliveries_by_account on webhook_deliveries (account_id, mode, id);
create index webhook_deliveries_by_mode on webhook_deliveries (mode, id);
create index webhook_deliveries_failed on webhook_deliveries (status, mode, id) where status = 'failed';
create index webhook_deliveries_failed_of on webhook_deliveries (status, account_id, mode, id) where status = 'failed';
create index webhook_deliveries_failed_by_key on webhook_deliveries (status, api_key_id, id) where status = 'failed';

create table webhook_attempts (
  id text not null, delivery_id text not null, started_at bigint not null, duration_ms bigint not null,
  response_status bigint, error text, constraint webhook_attempts_pk primary key (id)
);
create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, id);

create table webhook_secrets (
  account_id text not null, secret text not null, created_at bigint not null, valid_until bigint,
  mode text not null default 'live', constraint webhook_secrets_pk primary key (account_id, secret)
);

create table webhook_headers (
  account_id text not null, mode text not null, url text not null, sealed text not null, names_json text not null,
  constraint webhook_headers_pk primary key (account_id, mode)
);
`;
