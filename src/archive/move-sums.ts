import { type RawBuilder, sql } from 'kysely';
import { addArchivedSum, archivedEndUser } from '../accounts/archived-sums.ts';
import { DAY_MS, dayOf } from '../accounts/closed-days.ts';
import { digestOfEndUser } from '../accounts/end-user-spending.ts';
import { compilable } from '../accounts/usage-days.ts';
import type { Transaction } from '../database/database.ts';
import type { CostFigures } from '../database/day-sum-tables.ts';
import { COST_FIGURE_NAMES, COST_FIGURES } from '../tasks/cost-days.ts';
import type { ArchiveRecord } from './archive-record.ts';

/**
 * Moves what tasks add to sums from the sums of rows to those of archives, in the transaction that deletes the rows.
 */
export async function moveSums(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  await moveUsage(trx, records);
  await moveCosts(trx, records);
  await addBalances(trx, records);
  await addByKey(trx, records);
  await addEndUsers(trx, records);
}

async function moveUsage(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  const groups = Map.groupBy(records, ({ task }) =>
    JSON.stringify([task.api_key_id, dayOf(task.created_at), task.model_id, task.status]),
  );
  for (const [name, members] of groups) {
    const [api_key_id, day, model_id, status] = JSON.parse(name) as [string, number, string, string];
    const sums = { tasks: members.length, charged: sumOf(members, ({ task }) => task.charged ?? 0) };
    await moveDay(trx, 'usage_days', { api_key_id, day, model_id, status }, sums, 'tasks');
  }
}

type CostRow = CostFigures & { readonly day: number; account_id: string; model_id: string; engine: string };

async function moveCosts(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  const ids = records.flatMap(({ task, cost }) => (cost === null ? [] : [task.id]));
  if (ids.length === 0) return;
  const figures = COST_FIGURE_NAMES.map((name) => sql`sum(${COST_FIGURES[name]}) as ${sql.ref(name)}`);
  const day = sql`settled_at / ${sql.lit(DAY_MS)}`;
  const query = sql<CostRow>`select ${day} as day, account_id, model_id, engine, ${sql.join(figures)}
    from ${sql.table('task_costs')} where task_id in (${sql.join(ids)}) group by ${day}, account_id, model_id, engine`;
  for (const row of await trx.all(compilable(trx, query))) {
    const { account_id, model_id, engine } = row;
    const sums = Object.fromEntries(COST_FIGURE_NAMES.map((name) => [name, Number(row[name])]));
    await moveDay(trx, 'cost_days', { day: Number(row.day), account_id, model_id, engine }, sums, 'orders');
  }
}

/** @param counter the column that is 0 once nothing is left */
async function moveDay(
  trx: Transaction,
  table: 'usage_days' | 'cost_days',
  group: Readonly<Record<string, string | number>>,
  sums: Readonly<Record<string, number>>,
  counter: string,
): Promise<void> {
  const names = Object.keys(sums);
  const list = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts);
  const own = sql.join(
    Object.entries(group).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  );
  const less = names.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} - ${sums[name]}`);
  const left = sql`update ${sql.table(table)} set ${list(less)} where ${own} and archived = 0`;
  if ((await trx.run(compilable(trx, left))) !== 1)
    throw new Error(`the sums of ${JSON.stringify(group)} do not contain the tasks that are to be archived`);
  await trx.run(
    compilable(trx, sql`delete from ${sql.table(table)} where ${own} and archived = 0 and ${sql.ref(counter)} = 0`),
  );
  const columns = [...Object.keys(group), 'archived', ...names].map((name) => sql.ref(name));
  const values = [...Object.values(group), 1, ...Object.values(sums)].map((value) => sql`${value}`);
  const key = [...Object.keys(group), 'archived'].map((name) => sql.ref(name));
  const more = names.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  const added = sql`insert into ${sql.table(table)} (${list(columns)}) values (${list(values)})
    on conflict (${list(key)}) do update set ${list(more)}`;
  await trx.run(compilable(trx, added));
}

async function addBalances(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  const entries = records.flatMap(({ ledger }) => ledger);
  for (const [name, members] of Map.groupBy(entries, (entry) => `${entry.account_id} ${entry.mode}`)) {
    const amount = members.reduce((sum, entry) => sum + entry.amount, 0);
    await addArchivedSum(trx, { kind: 'balance', name, at: 0, count: members.length, price: 0, amount });
  }
}

/** Sums by key and by batch. */
async function addByKey(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  const add = async (kind: 'key' | 'batch', name: string, members: readonly ArchiveRecord[]) =>
    await addArchivedSum(trx, { kind, name, at: 0, ...sumsOf(members) });
  for (const [key, members] of Map.groupBy(records, ({ task }) => task.api_key_id)) await add('key', key, members);
  for (const [batch, members] of Map.groupBy(records, ({ task }) => task.batch_id))
    if (batch !== null) await add('batch', batch, members);
}

/**
 * Sums by end user and day, and on the day of a checkpoint apart for the orders before and after it: each checkpoint,
 * now or later, contains such a sum or does not.
 */
async function addEndUsers(trx: Transaction, records: readonly ArchiveRecord[]): Promise<void> {
  const ofUsers = records.filter(({ task }) => task.erased_end_user !== null);
  if (ofUsers.length === 0) return;
  const times = ofUsers.map(({ task }) => task.created_at);
  const rows = await trx.all(
    trx.builder
      .selectFrom('end_users')
      .select(['api_key_id', 'end_user', 'closed_at'])
      .where('api_key_id', 'in', [...new Set(ofUsers.map(({ task }) => task.api_key_id))])
      .where('closed_at', '>', Math.min(...times))
      .where('closed_at', '<=', Math.max(...times)),
  );
  const checkpoints = new Map(
    rows.map((row) => [archivedEndUser(row.api_key_id, digestOfEndUser(row.api_key_id, row.end_user)), row.closed_at]),
  );
  const groups = Map.groupBy(ofUsers, ({ task }) => {
    const name = archivedEndUser(task.api_key_id, task.erased_end_user ?? '');
    return JSON.stringify([name, dayOf(task.created_at), task.created_at < (checkpoints.get(name) ?? 0)]);
  });
  for (const [group, members] of groups) {
    const [name, , isBefore] = JSON.parse(group) as [string, number, boolean];
    const created = members.map(({ task }) => task.created_at);
    const at = isBefore ? Math.max(...created) : Math.min(...created);
    await addArchivedSum(trx, { kind: 'end_user', name, at, ...sumsOf(members) });
  }
}

function sumsOf(records: readonly ArchiveRecord[]) {
  return {
    count: records.length,
    price: sumOf(records, ({ task }) => task.price),
    amount: sumOf(records, ({ task }) => task.charged ?? 0),
  };
}

function sumOf(records: readonly ArchiveRecord[], amountOf: (record: ArchiveRecord) => number): number {
  return records.reduce((sum, record) => sum + amountOf(record), 0);
}
