/** The whole schema, for both databases. */
export const INITIAL = `
create table accounts (
  id text not null, name text not null, created_at bigint not null, credit_limit bigint, price_rules_json text not null,
  hidden_models_json text not null, webhook_url text, test_webhook_url text, deliver_json text,
  constraint accounts_pk primary key (id)
);

create table api_keys (
  id text not null, account_id text not null, mode text not null, name text not null, hash text not null,
  previous_hash text, previous_until bigint, created_at bigint not null, expires_at bigint, revoked_at bigint,
  models_json text not null, rpm bigint not null, read_rpm bigint not null, concurrency bigint not null,
  queue_limit bigint not null, spend_day bigint, spend_month bigint, spend_total bigint, account_view bigint not null,
  approve_over bigint, end_user_day bigint, end_user_month bigint, end_user_total bigint,
  timezone text, constraint api_keys_pk primary key (id)
);
create unique index api_keys_by_hash on api_keys (hash);
create index api_keys_by_previous_hash on api_keys (previous_hash) where previous_hash is not null;
create index api_keys_by_account on api_keys (account_id, mode);

create table end_users (
  api_key_id text not null, end_user text not null, limits_json text not null,
  constraint end_users_pk primary key (api_key_id, end_user)
);
create table meters (
  subject text not null, kind text not null, period text not null, used bigint not null,
  constraint meters_pk primary key (subject, kind, period)
);
create table spending (
  subject text not null, day bigint not null, day_used bigint not null, month bigint not null,
  month_used bigint not null, total_used bigint not null, zone text, zone_day bigint, zone_day_end bigint,
  zone_day_used bigint, zone_month bigint, zone_month_used bigint, zone_total bigint,
  constraint spending_pk primary key (subject)
);

create table ledger (
  account_id text not null, api_key_id text, mode text not null, task_id text not null, kind text not null,
  amount bigint not null, created_at bigint not null, note text, constraint ledger_pk primary key (task_id, kind)
);
create index ledger_by_account on ledger (account_id, mode, created_at);
create index ledger_by_key on ledger (api_key_id, created_at) where api_key_id is not null;
create index ledger_by_time on ledger (created_at);
create table ledger_checkpoints (
  account_id text not null, mode text not null, until bigint not null, balance bigint not null,
  constraint ledger_checkpoints_pk primary key (account_id, mode)
);

create table tasks (
  id text not null, type text not null, api_key_id text not null, account_id text not null, mode text not null,
  status text not null, step text not null, model_id text not null, action text, parent_task_id text, end_user text,
  metadata_json text not null, input_json text not null, request_json text not null, media_json text,
  outputs_json text not null, keep_json text, error_json text, price bigint not null, charged bigint,
  lines_json text not null, price_basis_json text, simulate_json text, route_json text not null, queue text not null,
  rank double precision not null, claimable bigint not null, fence bigint not null, worker text, next_at bigint,
  operation_json text, attempts bigint not null, created_at bigint not null, started_at bigint, completed_at bigint,
  deadline_at bigint not null, expires_at bigint not null, cancel_requested_at bigint, erased_at bigint,
  deleted_at bigint, webhook_url text,
  input_bytes bigint, estimated_end_at bigint,
  progressed_at bigint, progress bigint not null, revision bigint not null, refunded bigint,
  deliver_json text, price_list text, warnings_json text, followed bigint not null default 0,
  gates bigint not null default 0, line bigint not null default 0, scope text, end_user_sent text,
  constraint tasks_pk primary key (id)
);
create index tasks_by_key on tasks (api_key_id, type, id, deleted_at);
create index tasks_by_model on tasks (api_key_id, type, model_id, id);
create index tasks_by_end_user on tasks (api_key_id, type, end_user, id) where end_user is not null;
create index tasks_by_parent on tasks (parent_task_id, id) where parent_task_id is not null;
create index tasks_claimable on tasks (queue, rank, id) where step = 'waiting' and claimable = 1;
create index tasks_queued_by_key on tasks (api_key_id, line, queue, rank) where status = 'queued';
create index tasks_slots on tasks (api_key_id) where claimable = 1;
create index tasks_blocked on tasks (api_key_id, rank, id) where status = 'queued' and claimable = 0;
create index tasks_in_flight on tasks (queue, api_key_id)
  where step in ('preparing', 'submitting', 'deferred', 'running');
create index tasks_due on tasks (next_at) where next_at is not null;
create index tasks_cancel_wishes on tasks (worker) where cancel_requested_at is not null and worker is not null;
create index tasks_deferred on tasks (queue) where step = 'deferred';
create index tasks_delivered on tasks (queue) where step = 'running' and claimable = 0;
create index tasks_by_scope on tasks (scope, id) where scope is not null;
create index tasks_open_by_scope on tasks (scope, created_at, price) where scope is not null and step <> 'final';
create index tasks_failed on tasks (id) where status = 'failed';
create index tasks_by_other_status on tasks (api_key_id, type, status, id) where status <> 'succeeded';
create index tasks_open on tasks (created_at, id) where step <> 'final';
create index tasks_to_erase on tasks (expires_at) where erased_at is null and completed_at is not null;

create table price_lists (
  digest text not null, list_json text not null, constraint price_lists_pk primary key (digest)
);

create table task_checks (
  task_id text not null, checked_at bigint, outcome text, said text, asked_at bigint,
  constraint task_checks_pk primary key (task_id)
);

create table task_costs (
  task_id text not null, account_id text not null, model_id text not null, engine text not null,
  upstream_model text not null, outcome text not null, charged bigint not null, expected bigint, told bigint,
  told_units text, settled_at bigint not null, is_short bigint not null default 0, assumed bigint,
  constraint task_costs_pk primary key (task_id)
);
create index task_costs_by_time on task_costs (settled_at, task_id);

create table idempotency (
  scope text not null, idempotency_key text not null, fingerprint text not null, subject_id text not null,
  expires_at bigint, constraint idempotency_pk primary key (scope, idempotency_key)
);
create index idempotency_by_subject on idempotency (subject_id);
create index idempotency_expiring on idempotency (expires_at) where expires_at is not null;

create table files (
  id text not null, api_key_id text not null, storage_key text not null, kind text not null, content_type text not null,
  bytes bigint not null, width bigint, height bigint, duration_seconds double precision, sha256 text not null,
  created_at bigint not null, expires_at bigint not null, erased_at bigint, end_user text, end_user_sent text,
  constraint files_pk primary key (id)
);
create index files_by_key on files (api_key_id, id);
create index files_expiring on files (expires_at) where erased_at is null;
create index files_stored on files (api_key_id, bytes) where erased_at is null;

create table queues (
  name text not null, clock double precision not null, constraint queues_pk primary key (name)
);
create table claim_permits (
  queue text not null, holder text not null, orders bigint not null, until bigint not null,
  constraint claim_permits_pk primary key (queue, holder)
);
create table valves (
  subject text not null, kind text not null, since bigint not null, retry_at bigint, fault text, call text, message text,
  times bigint not null, trial_until bigint, at_once bigint, constraint valves_pk primary key (subject, kind)
);
create table upstream_jobs (
  engine text not null, job text not null, task_id text not null, constraint upstream_jobs_pk primary key (engine, job)
);

create table instances (
  engine text not null, worker text not null, concurrency bigint, changed_at bigint, seen_at bigint, amount text,
  unit text, told_at bigint, asked_at bigint, error text, constraint instances_pk primary key (engine, worker)
);

create table closed_days (
  name text not null, before_day bigint not null, revision bigint not null, removed_before_day bigint,
  constraint closed_days_pk primary key (name)
);

create table usage_days (
  api_key_id text not null, day bigint not null, model_id text not null, status text not null, tasks bigint not null,
  charged bigint not null, constraint usage_days_pk primary key (api_key_id, day, model_id, status)
);
create index usage_days_by_day on usage_days (day);

create table usage_quarters (
  api_key_id text not null, quarter bigint not null, model_id text not null, status text not null,
  end_user text not null, end_user_sent text, tasks bigint not null, charged bigint not null,
  constraint usage_quarters_pk primary key (api_key_id, quarter, model_id, status, end_user)
);
create index usage_quarters_by_time on usage_quarters (quarter);

create table cost_days (
  day bigint not null, account_id text not null, model_id text not null, engine text not null, orders bigint not null,
  unsuccessful bigint not null, unknown bigint not null, revenue bigint not null, expected bigint not null,
  told bigint not null, cost bigint not null, without_amount bigint not null, differing bigint not null,
  below_cost bigint not null, revenue_without_amount bigint not null, unknown_cost bigint not null,
  constraint cost_days_pk primary key (day, account_id, model_id, engine)
);

create table reconciliation (
  id text not null, task_id text not null, kind text not null, detail_json text not null, created_at bigint not null,
  resolved_at bigint, resolution text, constraint reconciliation_pk primary key (id)
);
create index reconciliation_by_task on reconciliation (task_id);
create index reconciliation_open on reconciliation (id) where resolved_at is null;

create table audit_log (
  id text not null, actor text not null, act text not null, target text, detail_json text not null,
  created_at bigint not null, actor_kind text, actor_name text, address text,
  constraint audit_log_pk primary key (id)
);
create index audit_log_by_actor on audit_log (actor, id);
create index audit_log_by_actor_name on audit_log (actor_name, id) where actor_name is not null;
create index audit_log_by_act on audit_log (act, id);
create index audit_log_by_target on audit_log (target, id) where target is not null;

create table work (
  kind text not null, subject text not null, owner text not null, due_at bigint not null, entered_at bigint not null,
  fence bigint not null, attempts bigint not null, constraint work_pk primary key (kind, subject)
);
create index work_due on work (kind, due_at);

create table processes (
  id text not null, role text not null, host text not null, machine text not null, pid bigint not null,
  version text not null, lock_path text not null, started_at bigint not null, beat_at bigint not null,
  beats bigint not null, ended_at bigint, facts text, constraint processes_pk primary key (id)
);

create table secrets (
  name text not null, value text not null, constraint secrets_pk primary key (name)
);

create table assignments (
  kind text not null, addition text not null, number bigint not null,
  constraint assignments_pk primary key (kind, addition)
);
create unique index assignments_by_number on assignments (kind, number);

create table installation (
  row bigint not null, id text not null, owner text not null, beat bigint not null, system_id text, database_oid bigint,
  held text, prefix text, sweep_stopped text, constraint installation_pk primary key (row)
);
`;
