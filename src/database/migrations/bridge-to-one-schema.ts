import { type Migration, statementsOf } from '@darkroom-service/store';
import { creating, creationOf, rebuild, withoutArchived } from './statements.ts';

/** Identifies a ledger entry by its task and kind, and a checkpoint by a time. */
const datedLedger: Migration = {
  version: 33,
  name: 'dated-ledger',
  statements: (kind) => {
    const random =
      kind === 'sqlite' ? 'lower(hex(randomblob(13)))' : "left(replace(gen_random_uuid()::text, '-', ''), 26)";
    return [
      ...rebuild('ledger', { task_id: `coalesce(task_id, 'crd_' || ${random})` }),
      // Archived entries lie before each checkpoint; the others are summed anew.
      `update ledger_checkpoints set ledger_id = 0, balance = coalesce((select amount from archived_sums
        where kind = 'balance' and name = ledger_checkpoints.account_id || ' ' || ledger_checkpoints.mode), 0)`,
      'alter table ledger_checkpoints rename column ledger_id to until',
    ];
  },
};

const installation = creating(34, 'installation', 'installation');

const deeds: Migration = {
  version: 35,
  name: 'deeds',
  statements: () => [
    'alter table idempotency add column expires_at bigint',
    ...creationOf('idempotency').filter((statement) => statement.includes('idempotency_expiring')),
  ],
};

/** Removes the archive: reports take their days from sums alone. */
const removedTasks: Migration = {
  version: 36,
  name: 'removed-tasks',
  statements: () => [
    'alter table closed_days add column removed_before_day bigint',
    ...creationOf('removed_spending'),
    `update closed_days set removed_before_day = (select max(day) + 1 from usage_days where archived = 1)
      where name = 'usage'`,
    `insert into removed_spending select api_keys.id, substr(archived_sums.name, length(api_keys.id) + 2), at, 'archived', amount
      from archived_sums join api_keys on substr(archived_sums.name, 1, length(api_keys.id) + 1) = api_keys.id || ' '
      where kind = 'end_user'`,
    `insert into ledger (account_id, api_key_id, mode, task_id, kind, amount, created_at, note)
      select account_id, null, mode, 'crd_archived_' || mode || '_' || account_id, 'credit', amount, -1, 'archived orders'
      from archived_sums join ledger_checkpoints on name = account_id || ' ' || mode where kind = 'balance'`,
    'drop table archived_sums',
    'drop table archives',
    ...withoutArchived('usage_days', ['api_key_id', 'day', 'model_id', 'status']),
    ...withoutArchived('cost_days', ['day', 'account_id', 'model_id', 'engine']),
  ],
};

/** Metrics hold what engines did over time, and alerts are sent by webhook only. */
const withoutHistory: Migration = {
  version: 37,
  name: 'without-history',
  statements: () => [
    'drop table engine_history',
    'drop table circuit_openings',
    "delete from alert_messages where channel <> 'webhook'",
    'alter table alert_messages drop column channel',
  ],
};

const ALERT_MESSAGES = `
create table alert_messages (
  id text not null, alert_id text not null, type text not null, data_json text not null, status text not null,
  error text, attempts bigint not null, created_at bigint not null, delivered_at bigint, receiver text,
  constraint alert_messages_pk primary key (id)
);
create index alert_messages_pending on alert_messages (alert_id, id) where status = 'pending';
create index alert_messages_of_alert on alert_messages (alert_id, id);
`;

/** Carries what waited in queues of its own into one table. */
const work: Migration = {
  version: 38,
  name: 'work',
  statements: () => [
    ...creationOf('work'),
    "insert into work select 'chore', name, '', next_at, next_at, 0, 0 from chores",
    `insert into work select 'webhook', id, account_id, next_at, created_at, 0, attempts from webhook_deliveries
      where next_at is not null`,
    `insert into work select 'alert', alert_id, '', min(next_at), min(created_at), 0, max(attempts) from alert_messages
      where next_at is not null group by alert_id`,
    // A larger time means that the batch holds it back.
    `insert into work select 'references', id, api_key_id, fetch_at, created_at, 0, attempts from tasks
      where step = 'waiting' and fetch_at < ${Number.MAX_SAFE_INTEGER}`,
    `insert into work select 'children', id, '', children_at, completed_at, 0, 0 from tasks
      where step = 'final' and children_at is not null`,
    'drop table chores',
    ...rebuild('webhook_deliveries', {}),
    'create table old_messages as select * from alert_messages',
    'drop table alert_messages',
    ...statementsOf(ALERT_MESSAGES),
    `insert into alert_messages (id, alert_id, type, data_json, status, error, attempts, created_at, delivered_at, receiver)
      select id, alert_id, type, data_json,
        case when delivered_at is not null then 'delivered' when next_at is null then 'failed' else 'pending' end,
        error, attempts, created_at, delivered_at, receiver from old_messages`,
    'drop table old_messages',
  ],
};

/** Has no columns and no step of a task that only older processes write. */
const oneSchema: Migration = {
  version: 39,
  name: 'one-schema',
  statements: () => [
    `update tasks set step = case when operation_json is null then 'submitting' else 'running' end
      where step = 'collecting'`,
    ...rebuild('tasks', {
      progress: 'case when told_progress > progress then told_progress else progress end',
      revision: 'revision + coalesce(progress_changes, 0)',
      unfetched: 'case when fetch_at is null then 0 else 1 end',
      awaited: 'case when children_at is null then 0 else 1 end',
      attempts: "case when step = 'waiting' and fetch_at is not null then 0 else attempts end",
      refunded: 'cast(null as bigint)',
      deliver_json: 'null',
      price_list: 'null',
      warnings_json: 'null',
      followed: '0',
    }),
    // Later steps add them.
    ...['refunded', 'deliver_json', 'price_list', 'warnings_json', 'followed'].map(
      (column) => `alter table tasks drop column ${column}`,
    ),
  ],
};

/** The steps to one schema for all processes, after which none has columns that only older processes write. */
export const TO_ONE_SCHEMA: readonly Migration[] = [
  datedLedger,
  installation,
  deeds,
  removedTasks,
  withoutHistory,
  work,
  oneSchema,
];
