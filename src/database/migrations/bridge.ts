import { columnsOf, creationOf, type Migration, rebuild } from './statements.ts';

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

const installation: Migration = {
  version: 34,
  name: 'installation',
  statements: () => creationOf('installation'),
};

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

/** Adds up the sums of archived and of other tasks. */
function withoutArchived(table: string, key: readonly string[]): string[] {
  const summed = columnsOf(table).filter((name) => !key.includes(name));
  const values = Object.fromEntries(summed.map((name) => [name, `cast(sum(${name}) as bigint)`]));
  return rebuild(table, values, `group by ${key.join(', ')}`);
}

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

/** Has no columns and no step of a task that only older processes write. */
const oneSchema: Migration = {
  version: 38,
  name: 'one-schema',
  statements: () => [
    `update tasks set step = case when operation_json is null then 'submitting' else 'running' end
      where step = 'collecting'`,
    ...rebuild('tasks', {
      progress: 'case when told_progress > progress then told_progress else progress end',
      revision: 'revision + coalesce(progress_changes, 0)',
    }),
  ],
};

/** One table has what is used of all limits that processes share. */
const meters: Migration = {
  version: 39,
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

export const BRIDGE: readonly Migration[] = [
  datedLedger,
  installation,
  deeds,
  removedTasks,
  withoutHistory,
  oneSchema,
  meters,
];
