import { tablesOf } from '@darkroom-service/store';
import { INITIAL } from '../../database/migrations/initial.ts';
import type { PersonalTable } from '../../tasks/task-hooks.ts';

/** The rows of a table that belong to an account, in SQL for PostgreSQL. */
export interface OwnedTable {
  /** Unique. A table may have rows of two kinds. */
  readonly name: string;
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** Holds for the rows `r` of the account `$1`. */
  readonly where: string;
  /** The account of the row `r`; null if it has none. */
  readonly account: string;
  /**
   * Rows that name a row of this table. They may be written before it, so they are copied again with it.
   */
  readonly parent?: { readonly table: string; readonly column: string };
  /** Rows that no account owns alone: copied, and neither compared nor removed. */
  readonly isShared?: true;
}

const KEYS = 'select id from api_keys where account_id = $1';
const TASKS = `select id from tasks where api_key_id in (${KEYS})`;

const accountOfKey = (id: string) => `coalesce((select account_id from api_keys where api_keys.id = ${id}),
  (select account_id from moved_keys where key_id = ${id}))`;
const accountOfTask = (id: string) => `(select account_id from tasks where tasks.id = ${id})`;

type Rule = Pick<OwnedTable, 'where' | 'account' | 'parent' | 'isShared'>;

const ofAccount = (column = 'account_id'): Rule => ({ where: `r.${column} = $1`, account: `r.${column}` });
const ofKey = (column = 'api_key_id'): Rule => ({
  where: `r.${column} in (${KEYS})`,
  account: accountOfKey(`r.${column}`),
});
const ofTask = (column = 'task_id'): Rule => ({
  where: `r.${column} in (${TASKS})`,
  account: accountOfTask(`r.${column}`),
  parent: { table: 'tasks', column },
});
const ofParent = ({ table, column }: NonNullable<Rule['parent']>): Rule => ({
  where: `r.${column} in (select id from ${table} where account_id = $1)`,
  account: `(select account_id from ${table} where ${table}.id = r.${column})`,
  parent: { table, column },
});
/** What begins with the id of a key. */
const ofOwner = (column: string): Rule => ({
  where: `split_part(r.${column}, ':', 1) in (${KEYS})`,
  account: accountOfKey(`split_part(r.${column}, ':', 1)`),
});

/** Which rows of each table of the core move. What others refer to comes last, so that it is removed last. */
const CORE: Readonly<Record<string, Rule>> = {
  task_checks: ofTask(),
  task_waits: ofTask('parent_id'),
  delayed_deletions: ofTask(),
  upstream_jobs: ofTask(),
  reconciliation: ofTask(),
  batch_portions: {
    where: `r.batch_id in (select id from batches where api_key_id in (${KEYS}))`,
    account: '(select account_id from batches where batches.id = r.batch_id)',
    parent: { table: 'batches', column: 'batch_id' },
  },
  work: {
    where: `(r.kind in ('webhook', 'delivery') and r.owner = $1 or r.kind = 'references' and r.owner in (${KEYS})
      or r.kind = 'children' and r.subject in (${TASKS}))`,
    account: `case r.kind when 'webhook' then r.owner when 'delivery' then r.owner
      when 'references' then ${accountOfKey('r.owner')} when 'children' then ${accountOfTask('r.subject')} end`,
  },
  meters: ofOwner('subject'),
  idempotency: ofOwner('scope'),
  end_users: ofKey(),
  removed_spending: ofKey(),
  usage_days: ofKey(),
  files: ofKey(),
  cost_days: ofAccount(),
  task_costs: ofAccount(),
  request_log: ofAccount(),
  ledger: ofAccount(),
  ledger_checkpoints: ofAccount(),
  upstream_keys: ofAccount(),
  batches: { ...ofKey(), account: 'r.account_id' },
  tasks: { ...ofKey(), account: 'r.account_id' },
  api_keys: ofAccount(),
  accounts: ofAccount('id'),
};

/** Tables of the cell itself, and what people and operators do there. */
export const STAYS: readonly string[] = [
  'account_changes',
  'account_moves',
  'alert_messages',
  'alerts',
  'audit_log',
  'circuits',
  'claim_permits',
  'closed_days',
  'engine_limits',
  'installation',
  'invitations',
  'local_engines',
  'memberships',
  'moved_ids',
  'moved_keys',
  'people',
  'person_keys',
  'person_sessions',
  'processes',
  'queues',
  'receipt_keys',
  'schema_migrations',
  'secrets',
  'switches',
  'upstream_balances',
];

/** Keys of orders that were removed: nobody can tell whose they were, and none may order again. */
const EXPIRED_KEYS: OwnedTable = {
  name: 'expired_keys',
  table: 'idempotency',
  key: ['scope', 'idempotency_key'],
  where: "r.scope = 'expired' and $1 <> ''",
  account: 'null',
  isShared: true,
};

/** Every list: orders of batches that are not placed yet name some of them too. */
const PRICE_LISTS: OwnedTable = {
  name: 'price_lists',
  table: 'price_lists',
  key: ['digest'],
  where: "$1 <> ''",
  account: 'null',
  isShared: true,
};

/**
 * The rows of an account in each table, for what moves, fences and compares them.
 * @param added what creates the tables of additions
 * @param personal what additions say of their tables
 */
export function ownedTables(added: readonly string[], personal: readonly PersonalTable[]): OwnedTable[] {
  const keys = new Map([INITIAL, ...added].flatMap((text) => [...tablesOf(text)]));
  const owned = (table: string, rule: Rule): OwnedTable => ({
    name: table,
    table,
    key: keys.get(table) ?? [],
    ...rule,
  });
  return [
    EXPIRED_KEYS,
    PRICE_LISTS,
    ...personal.filter(({ personColumn }) => personColumn === undefined).map((one) => owned(one.table, ruleOf(one))),
    ...Object.entries(CORE).map(([table, rule]) => owned(table, rule)),
  ];
}

function ruleOf({ table, taskColumn, accountColumn, keyColumn, parent }: PersonalTable): Rule {
  if (parent !== undefined) return ofParent(parent);
  if (accountColumn !== undefined) return ofAccount(accountColumn);
  if (keyColumn !== undefined) return ofKey(keyColumn);
  if (taskColumn !== undefined) return ofTask(taskColumn);
  throw new Error(`expected a column in the table ${table} that tells whose its rows are`);
}

/** The key of a row as JSON, the same in triggers and in queries. @param row its alias */
export function keyJson({ key }: Pick<OwnedTable, 'key'>, row: string): string {
  return `json_build_object(${key.map((column) => `'${column}', ${row}.${column}`).join(', ')})::text`;
}
