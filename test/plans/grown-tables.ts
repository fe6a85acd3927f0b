import type { Schema } from '../../src/database/schema.ts';

/** How copies of a row of a table differ from it: SQL by column, over the copy's number `copy`. */
export type Growth = Readonly<Record<string, string>>;

const id = (column: string) => `${column} || '-' || copy`;
/** As in a large installation: one key has a twentieth of everything. */
const KEY = { api_key_id: "case when copy % 20 = 0 then api_key_id else 'key_' || copy % 20 end" };
const TASK = { task_id: id('task_id'), ...KEY };

/** Tables whose rows are few beside the tasks: a wait ends when its order begins. */
export const FEW: readonly (keyof Schema)[] = ['task_waits', 'batch_portions'];

/** Statements that read a growing table from end to end, by their beginning, and the reason why they may. */
export const MAY_SCAN: Readonly<Record<string, string>> = {
  'delete from "meters" where "kind"': 'drops the rows of those who store nothing, once a day',
  'select "api_keys"."id", "api_keys"."name", "accounts"."id" as "account_id"':
    'an operator finds keys by a part of a name, among thousands at most',
  'select "id" from "api_keys" where "mode" in': 'an operator finds a customer: two looks into an index for each key',
  'select distinct "task_id" from (select "request_id"': 'an operator finds a request among the latest 20,000',
  'select "tasks"."id" from (select "task_id" from "reconciliation"':
    'an operator lists what is to be reconciled, which is little beside the orders',
};

/** Statements that may read many rows, and the reason why. */
export const MAY_READ: readonly { readonly matches: RegExp; readonly because: string }[] = [
  {
    matches: /from "request_log".* order by "id" desc limit .*as "walked" where/,
    because: 'an operator looks for a request among the latest 20,000',
  },
  {
    matches:
      /^select (?:"api_key_id", max\("id"\).*"request_log"|"id" from "request_log" .* offset )|^delete from "request_log"/,
    because: 'housekeeping trims the request log to the latest 2,000 of a key, a slice at a time',
  },
  {
    matches: /^select "id", "created_at" from "tasks" .* limit .* offset /,
    because: 'a list of operators skips 20,000 ids of an index to tell how far it looked',
  },
  { matches: /from pg_tables /, because: 'a start lists the tables' },
  {
    matches: /^delete from "person_sessions" where \("expires_at"/,
    because: 'a sign-in removes the sessions that are over, so that those of the people who are signed in are left',
  },
  {
    matches: /"reconciliation"\."resolved_at" is not null/,
    because: 'an operator looks at what was resolved; nearly all of it is of live orders',
  },
];

/**
 * Each table: how it grows, or the reason why it stays so small that it may be read from end to end. It may name tables
 * of additions that were taken out.
 */
export const TABLES: Readonly<Record<keyof Schema, Growth | string> & Record<string, Growth | string>> = {
  a1111_options: { id: id('id') },
  account_provenance: 'at most one row for each account; workers read them every two seconds',
  accounts: 'one row for each account; housekeeping goes through them once a minute',
  alert_messages: { id: id('id') },
  alerts: { id: id('id'), subject: id('subject') },
  api_keys: { id: id('id'), hash: id('hash'), account_id: id('account_id') },
  assignments: 'at most 38 rows',
  budget_notices: { subject: id('subject') },
  audit_log: { id: id('id') },
  data_requests: 'one row for each request of a person',
  erasure_uploads: 'some rows for each request of a person',
  batch_orders: { task_id: id('task_id'), batch_id: "batch_id || '-' || copy % 100" },
  batch_portions: { batch_id: id('batch_id') },
  batches: { id: id('id'), ...KEY },
  claim_permits: 'a few rows for each process and queue with orders',
  closed_days: 'one row for each kind of sums by day',
  cost_days: { day: 'day - copy' },
  data_rules: 'a few rows for each account that limits where its data may go; processes read them every second',
  delayed_deletions: { task_id: id('task_id'), delete_at: 'delete_at + copy' },
  destinations: 'at most 20 rows for each account',
  end_users: { end_user: id('end_user'), ...KEY },
  files: { id: id('id'), storage_key: id('storage_key'), ...KEY },
  idempotency: { idempotency_key: id('idempotency_key'), subject_id: id('subject_id') },
  instances: 'one row for each engine, and for each process that runs models on its machine',
  installation: 'one row',
  invitations: { id: id('id'), hash: id('hash') },
  ledger: TASK,
  ledger_checkpoints: { account_id: id('account_id') },
  memberships: { person_id: id('person_id') },
  meters: { subject: id('subject') },
  model_examples: { id: id('id'), task_id: id('task_id'), model_id: id('model_id') },
  openai_calls: { id: id('id'), digest: id('digest'), ...KEY },
  order_traces: { task_id: id('task_id'), created_at: 'created_at - copy' },
  output_hashes: { sha256: id('sha256'), task_id: id('task_id') },
  people: { id: id('id'), subject: id('subject') },
  person_keys: { key_id: id('key_id'), person_id: id('person_id') },
  person_sessions: { id: id('id'), hash: id('hash'), person_id: id('person_id') },
  price_lists: { digest: id('digest') },
  processes: 'one row for each process',
  queues: 'one row for each engine and mode',
  receipt_keys: 'one row for each rotation of the key that signs receipts',
  reconciliation: { id: id('id'), task_id: id('task_id') },
  request_log: { id: id('id'), ...KEY, account_id: id('account_id') },
  schema_migrations: 'one row for each migration',
  secrets: 'the secrets of the installation',
  shares: { id: id('id'), ...TASK },
  spending: { subject: id('subject') },
  task_checks: 'a few hundred orders that take long, each until it ends',
  task_costs: { task_id: id('task_id'), settled_at: 'settled_at - copy * 86400000' },
  task_tags: TASK,
  task_waits: { parent_id: id('parent_id'), child_id: id('child_id') },
  tasks: { id: id('id'), scope: id('scope'), ...KEY, erased_at: 'null', expires_at: 'expires_at + copy' },
  upstream_jobs: { job: id('job'), task_id: id('task_id') },
  upstream_keys: 'a few rows for each account that brings its own upstream keys',
  valves: 'some rows for each engine or model that gets no orders',
  usage_days: { day: 'day - copy' },
  usage_quarters: { quarter: 'quarter - copy' },
  webhook_attempts: { id: id('id'), delivery_id: id('delivery_id') },
  webhook_deliveries: { id: id('id'), ...TASK },
  webhook_headers: 'at most one row for each account and mode',
  webhook_secrets: 'one row for each account and mode with webhooks, or two while its secret changes',
  work: { subject: id('subject') },
};
