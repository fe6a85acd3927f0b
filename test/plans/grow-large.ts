import { type Growth, TABLES } from './grown-tables.ts';

/** A database whose service has stopped. */
export interface StoppedDatabase {
  readonly kind: 'sqlite' | 'postgres';
  all(sql: string): Promise<readonly Record<string, unknown>[]>;
  run(sql: string): Promise<void>;
}

/** As many rows as a large installation has of each order, and of what not every order has. */
const EACH = 100_000;
const SOME = 20_000;
const PATTERNS = 20;
/** Of years ago: an id begins with its time. */
const OLD_ID = "substr(id, 1, 6) || 'a' || substr(id, 8) || '-' || copy";
const ago = (column: string) => `${column} - copy * 1000`;

/** Tables that grow with orders: which of their rows are over, and how copies differ beyond their ids. */
const LARGE: Readonly<Record<string, { rows: number; ended?: string; differ?: Readonly<Record<string, string>> }>> = {
  tasks: { rows: EACH, ended: "step = 'final'", differ: { id: OLD_ID, created_at: ago('created_at') } },
  ledger: { rows: EACH, ended: "kind in ('hold', 'release')", differ: { created_at: ago('created_at') } },
  idempotency: { rows: EACH },
  webhook_deliveries: {
    rows: EACH,
    ended: "status = 'delivered'",
    differ: { status: "case when copy % 2 = 0 then 'failed' else status end" },
  },
  webhook_attempts: { rows: EACH },
  output_hashes: { rows: EACH },
  batches: { rows: SOME, ended: "status <> 'processing'" },
  batch_orders: { rows: SOME, ended: "state not in ('held', 'open')" },
  files: { rows: SOME, ended: 'erased_at is not null' },
  openai_calls: { rows: SOME, ended: 'delivered_at is not null' },
  request_log: { rows: SOME, differ: { id: OLD_ID } },
  audit_log: { rows: SOME },
  task_tags: { rows: SOME },
  task_costs: { rows: SOME, differ: { settled_at: 'settled_at - copy * cast(86400000 as bigint)' } },
  usage_days: { rows: SOME },
  usage_quarters: { rows: SOME },
  cost_days: { rows: SOME },
  people: { rows: SOME },
  memberships: { rows: SOME },
  person_keys: { rows: SOME },
  person_sessions: { rows: SOME },
  reconciliation: { rows: SOME, ended: 'resolved_at is not null' },
  end_users: { rows: SOME },
  alerts: { rows: SOME, ended: 'ended_at is not null' },
};

/** Copies rows that are over, equal in key, account and end user; then sums entries up as housekeeping does. */
export async function growLarge(database: StoppedDatabase): Promise<void> {
  for (const [table, { rows, ended = '1 = 1', differ = {} }] of Object.entries(LARGE)) {
    const growth: Growth | string | undefined = TABLES[table];
    if (typeof growth !== 'object') throw new Error(`${table} does not grow`);
    const { api_key_id: _, ...ids } = growth;
    const names = await columnsOf(database, table);
    const copied = names.map((name) => differ[name] ?? ids[name] ?? name);
    const patterns = `(select * from ${table} where ${ended} order by ${names[0]} limit ${PATTERNS})`;
    const [found] = await database.all(`select count(*) as n from ${patterns} as patterns`);
    const count = Number(found?.n);
    if (count === 0) continue;
    const copies = Math.ceil(rows / count);
    const series =
      database.kind === 'postgres'
        ? `generate_series(1, ${copies}) as copy`
        : `(with recursive s(copy) as (select 1 union all select copy + 1 from s where copy < ${copies}) select copy from s)`;
    await database.run(
      `insert into ${table} (${names.join(', ')}) select ${copied.join(', ')} from ${patterns} as pattern cross join ${series}`,
    );
  }
  await database.run('delete from ledger_checkpoints');
  await database.run(
    `insert into ledger_checkpoints (account_id, mode, until, balance)
      select account_id, mode, (select min(created_at) from ledger as kept where task_id not like '%-%'), 0
      from ledger group by account_id, mode`,
  );
}

async function columnsOf({ kind, all }: StoppedDatabase, table: string): Promise<string[]> {
  const rows = await all(
    kind === 'sqlite'
      ? `select name from pragma_table_info('${table}')`
      : `select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = '${table}' and is_identity = 'NO' order by ordinal_position`,
  );
  return rows.map(({ name }) => String(name));
}
