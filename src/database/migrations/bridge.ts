import { creationOf, LATER_FIGURES, type Migration, rebuild, statementsOf, withoutArchived } from './statements.ts';

/**
 * The steps from the schema of the last checkout before 0.1.0 (version 32) to the initial one. They need every process
 * to be stopped.
 */

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
    }),
    // Later steps add them.
    'alter table tasks drop column refunded',
    'alter table tasks drop column deliver_json',
    'alter table tasks drop column price_list',
    'alter table tasks drop column warnings_json',
  ],
};

/** One table has what is used of all limits that processes share. */
const meters: Migration = {
  version: 40,
  name: 'meters',
  statements: () => [
    ...creationOf('meters'),
    "insert into meters select api_key_id, 'spend', period, amount from spend_windows",
    "insert into meters select api_key_id, 'stored_bytes', 'total', bytes from stored_bytes",
    "insert into meters select api_key_id, kind, minute || '', used from rate_windows",
    'drop table spend_windows',
    'drop table stored_bytes',
    'drop table rate_windows',
  ],
};

/** Adds what was given back of a task's charge. */
const refunds = altering(41, 'refunds', ['tasks add column refunded bigint']);

/** Where outputs are delivered to. */
const deliverTo = altering(
  42,
  'deliver-to',
  ['accounts', 'tasks', 'batches'].map((table) => `${table} add column deliver_json text`),
);

/** Slots of a queue that processes are about to fill. */
const claimPermits = creating(44, 'claim-permits', 'claim_permits');

const ALERT_ANSWERS = ['acknowledged_by text', 'acknowledged_at bigint', 'silenced_by text', 'silenced_until bigint'];

/** What operators see of orders that stand still. */
const openTasks: Migration = {
  version: 47,
  name: 'open-tasks',
  statements: () => [
    ...creationOf('task_checks'),
    // A step that has rebuilt the table has made it.
    "create index if not exists tasks_open on tasks (created_at, id) where step <> 'final'",
    ...ALERT_ANSWERS.map((column) => `alter table alerts add column ${column}`),
    'create index alerts_silenced on alerts (silenced_until) where silenced_until is not null',
    ...rebuild('cost_days', LATER_FIGURES),
  ],
};

/** Deletions that can be taken back for a time. */
const delayedDeletions = creating(48, 'delayed-deletions', 'delayed_deletions');

/** Who made a change and from where, and what finds it. */
const auditActors: Migration = {
  version: 51,
  name: 'audit-actors',
  statements: () => [
    ...['actor_kind', 'actor_name', 'address'].map((column) => `alter table audit_log add column ${column} text`),
    ...creationOf('audit_log').filter((statement) => statement.startsWith('create index')),
  ],
};

/** Accounts on their way between cells. */
const accountMoves = creating(52, 'account-moves', 'account_moves');

/** By what an order was priced, and how its result differs from it. */
const asOrdered: Migration = {
  version: 53,
  name: 'as-ordered',
  statements: () => [
    ...creationOf('price_lists'),
    'alter table tasks add column price_list text',
    'alter table tasks add column warnings_json text',
    'alter table task_costs add column is_short bigint not null default 0',
  ],
};

/** How waiting orders begin after a pause, and what each process knows for itself. */
const slowBegins = altering(54, 'slow-begins', [
  'circuits add column at_once bigint',
  'processes add column facts text',
]);

/** Takes orders of unknown outcome out of the costs of days, and counts again what was added later than the days. */
const unknownApart: Migration = {
  version: 55,
  name: 'unknown-apart',
  statements: () =>
    rebuild(
      'cost_days',
      {
        cost: 'cost - coalesce(counted_unknown_cost, 0)',
        without_amount: 'without_amount - coalesce(counted_unknown, 0)',
        revenue_without_amount: 'coalesce(counted_revenue, revenue_without_amount)',
        unknown_cost: 'coalesce(counted_unknown_cost, 0)',
      },
      `left join (select settled_at / 86400000 as counted_day, account_id as counted_account,
          model_id as counted_model, engine as counted_engine,
          cast(sum(case when outcome = 'unknown' then coalesce(told, expected, 0) else 0 end) as bigint)
            as counted_unknown_cost,
          sum(case when outcome = 'unknown' and coalesce(told, expected) is null then 1 else 0 end) as counted_unknown,
          cast(sum(case when outcome <> 'unknown' and coalesce(told, expected) is null then charged else 0 end) as bigint)
            as counted_revenue
        from task_costs group by 1, 2, 3, 4) as counted
        on counted_day = day and counted_account = account_id and counted_model = model_id and counted_engine = engine`,
    ),
};

/** Which process owes the answer of a call of an OpenAI client. */
const answeringProcess = altering(56, 'answering-process', ['openai_calls add column process text']);

/** What an order of unknown cost counts with in the spend limit of its instance. */
const assumedCosts = altering(57, 'assumed-costs', ['task_costs add column assumed bigint']);

/** Says in a column why an upstream gets no orders, which the message told. */
const circuitKinds: Migration = {
  version: 58,
  name: 'circuit-kinds',
  statements: () =>
    rebuild('circuits', {
      kind: `case
        when at_once is not null then 'slow_begin'
        when fault = 'rate_limited' and openings = 0 then 'pause'
        when fault = 'billing' and message like 'the operator''s spend limit of this upstream is reached%' then 'spend_limit'
        when engine like '%/%' and message like '% makes % and no %' then 'not_loaded'
        else 'outage' end`,
    }),
};

export const BRIDGE: readonly Migration[] = [
  datedLedger,
  installation,
  deeds,
  removedTasks,
  withoutHistory,
  work,
  oneSchema,
  meters,
  refunds,
  deliverTo,
  claimPermits,
  openTasks,
  delayedDeletions,
  auditActors,
  accountMoves,
  asOrdered,
  slowBegins,
  unknownApart,
  answeringProcess,
  assumedCosts,
  circuitKinds,
];

function altering(version: number, name: string, changes: readonly string[]): Migration {
  return { version, name, statements: () => changes.map((change) => `alter table ${change}`) };
}

function creating(version: number, name: string, table: string): Migration {
  return { version, name, statements: () => creationOf(table) };
}
