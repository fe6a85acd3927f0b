import type { Generated } from 'kysely';
import type { Fixed } from './column.ts';
import type { WebhookAttemptsTable, WebhookDeliveriesTable, WebhookSecretsTable } from './webhook-tables.ts';

/**
 * Every table as it is read, inserted and updated. Times are milliseconds since 1970 UTC, money is micro-dollars,
 * flags are 0 or 1, and what ends in `_json` is JSON text. `never` marks what is not written after the insert.
 */
export interface Schema {
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  ledger: LedgerTable;
  ledger_checkpoints: LedgerCheckpointsTable;
  spend_windows: SpendWindowsTable;
  tasks: TasksTable;
  idempotency: IdempotencyTable;
  files: FilesTable;
  queues: QueuesTable;
  switches: SwitchesTable;
  circuits: CircuitsTable;
  upstream_jobs: UpstreamJobsTable;
  reconciliation: ReconciliationTable;
  audit_log: AuditLogTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  webhook_secrets: WebhookSecretsTable;
  chores: ChoresTable;
  rate_windows: RateWindowsTable;
  secrets: SecretsTable;
  schema_migrations: SchemaMigrationsTable;
}

interface AccountsTable {
  id: Fixed<string>;
  name: string;
  created_at: Fixed<number>;
  /** How far below zero the live balance may go; null = pays later, no limit. */
  credit_limit: number | null;
  /** `[{ "models": "flux-*", "multiplier": "0.9" }]`, the first match counts; what none matches costs the default price. */
  price_rules_json: string;
  /** Glob patterns of models that this account does not see. */
  hidden_models_json: string;
  /** Where the ends of tasks are told that name no address of their own. */
  webhook_url: string | null;
}

interface ApiKeysTable {
  id: Fixed<string>;
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test' | 'admin'>;
  name: string;
  /** SHA-256 (hex) of the key. */
  hash: string;
  /** The hash before the last rotation, good until `previous_until`. */
  previous_hash: string | null;
  previous_until: number | null;
  created_at: Fixed<number>;
  expires_at: number | null;
  revoked_at: number | null;
  /** Glob patterns; an empty list allows every model. */
  models_json: string;
  /** Creates per minute, reads per minute, tasks at once, tasks waiting: 0 = no limit. */
  rpm: number;
  read_rpm: number;
  concurrency: number;
  queue_limit: number;
  spend_day: number | null;
  spend_month: number | null;
  spend_total: number | null;
  account_view: number;
}

interface LedgerTable {
  id: Generated<number>;
  account_id: Fixed<string>;
  api_key_id: Fixed<string | null>;
  mode: Fixed<'live' | 'test'>;
  task_id: Fixed<string | null>;
  kind: Fixed<'credit' | 'hold' | 'release' | 'charge'>;
  amount: Fixed<number>;
  created_at: Fixed<number>;
  note: Fixed<string | null>;
}

/** The sum of an account's entries up to and including `ledger_id`. */
interface LedgerCheckpointsTable {
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  ledger_id: number;
  balance: number;
}

/** What a key with a spend limit has held or been charged for orders placed within a window (`day:2026-11-20`, `month:2026-11`, `total`). */
interface SpendWindowsTable {
  api_key_id: Fixed<string>;
  period: Fixed<string>;
  amount: number;
}

export interface TasksTable {
  id: Fixed<string>;
  type: Fixed<'image' | 'video'>;
  api_key_id: Fixed<string>;
  account_id: Fixed<string>;
  mode: Fixed<'live' | 'test'>;
  status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  step: 'waiting' | 'preparing' | 'submitting' | 'deferred' | 'running' | 'collecting' | 'final';
  progress: number;
  /** Grows with every change that a client can see. */
  revision: number;
  model_id: Fixed<string>;
  action: Fixed<string | null>;
  parent_task_id: Fixed<string | null>;
  end_user: string | null;
  metadata_json: string;
  /** The normalized request as the wire shows it. */
  input_json: string;
  /** The ResolvedRequest that engines work from. */
  request_json: string;
  /** The media once fetched and checked; null before. */
  media_json: string | null;
  /** What became of it, as stored: keys, measurements, seeds. */
  outputs_json: string;
  /** What the engine keeps with its outputs for follow-up actions. */
  keep_json: string | null;
  error_json: string | null;
  /** Held at creation; never changes. */
  price: Fixed<number>;
  /** What was charged; null until the task is final, 0 where the hold was released. */
  charged: number | null;
  lines_json: string;
  /** What a charge by measurement is computed from; null where the price is exact. */
  price_basis_json: Fixed<string | null>;
  simulate_json: Fixed<string | null>;
  /** The route, frozen: engine and the upstream's model. */
  route_json: string;
  /** One fair queue per engine and mode. */
  queue: string;
  rank: number;
  /** 1 while the task may be claimed: no more of a key's tasks than it has free slots. */
  claimable: number;
  /** Grows with every claim and every end: later writes of an earlier claim change nothing. */
  fence: number;
  /** The process that holds it. */
  worker: string | null;
  /** When it wants attention by the database's clock: the end of the lease while held, the next check or the hard deadline otherwise. */
  next_at: number | null;
  operation_json: string | null;
  /** How often a call failed in a row. */
  attempts: number;
  /** When its engine thinks that it will be done; null where that says nothing. */
  estimated_end_at: number | null;
  created_at: Fixed<number>;
  started_at: number | null;
  progressed_at: number | null;
  completed_at: number | null;
  deadline_at: number;
  expires_at: number;
  cancel_requested_at: number | null;
  /** When prompt, inputs and outputs were erased, by age or on request. */
  erased_at: number | null;
  deleted_at: number | null;
  /** Where its end is told: its own address or its account's at the time of the order. */
  webhook_url: Fixed<string | null>;
}

interface IdempotencyTable {
  /** The API key's id, or `admin` for credits. */
  scope: Fixed<string>;
  idempotency_key: Fixed<string>;
  fingerprint: Fixed<string>;
  /** The task, or the ledger entry of a credit. */
  subject_id: Fixed<string>;
}

interface FilesTable {
  id: Fixed<string>;
  api_key_id: Fixed<string>;
  storage_key: Fixed<string>;
  kind: Fixed<'image' | 'video' | 'audio'>;
  content_type: Fixed<string>;
  bytes: Fixed<number>;
  width: Fixed<number | null>;
  height: Fixed<number | null>;
  duration_seconds: Fixed<number | null>;
  sha256: Fixed<string>;
  created_at: Fixed<number>;
  expires_at: number;
  erased_at: number | null;
}

interface QueuesTable {
  name: Fixed<string>;
  /** Virtual time: the rank of the task last claimed. */
  clock: number;
}

/** Engines and models that an operator has paused. */
interface SwitchesTable {
  kind: Fixed<'engine' | 'model'>;
  name: Fixed<string>;
  paused_at: Fixed<number>;
  reason: Fixed<string | null>;
}

/** Engines whose upstream takes no orders for now; one that is well has no row. */
interface CircuitsTable {
  engine: Fixed<string>;
  /** The class of the error that opened it. */
  fault: 'auth' | 'billing' | 'rate_limited' | 'busy' | 'upstream' | 'timeout';
  /** What was being done. */
  call: 'start' | 'check';
  /** The upstream's own words. */
  message: string;
  /** How often in a row it was opened. */
  openings: number;
  opened_at: number;
  /** When the next order may be tried. */
  retry_at: number;
  /** Until when a process has the right to try one. */
  trial_until: number | null;
}

/** What an upstream called an order when it took it. No two tasks have the same one. */
interface UpstreamJobsTable {
  engine: Fixed<string>;
  job: Fixed<string>;
  task_id: Fixed<string>;
}

/** What an operator has to look at: orders of unknown outcome, results that came too late. */
interface ReconciliationTable {
  id: Fixed<string>;
  task_id: Fixed<string>;
  kind: Fixed<'outcome_unknown' | 'late_result'>;
  detail_json: Fixed<string>;
  created_at: Fixed<number>;
  resolved_at: number | null;
  resolution: string | null;
}

interface AuditLogTable {
  id: Fixed<string>;
  actor: Fixed<string>;
  act: Fixed<string>;
  target: Fixed<string | null>;
  detail_json: Fixed<string>;
  created_at: Fixed<number>;
}

/** What is done from time to time by whichever process comes first. */
interface ChoresTable {
  name: Fixed<string>;
  next_at: number;
}

/** What all processes together have used of a key's current minute. */
interface RateWindowsTable {
  api_key_id: Fixed<string>;
  kind: Fixed<'creates' | 'reads'>;
  /** Minutes since 1970 UTC. */
  minute: number;
  used: number;
}

/** Secrets of the installation itself, such as the one that signs file addresses. */
interface SecretsTable {
  name: Fixed<string>;
  value: string;
}

interface SchemaMigrationsTable {
  version: Fixed<number>;
  name: Fixed<string>;
  applied_at: Fixed<number>;
}
