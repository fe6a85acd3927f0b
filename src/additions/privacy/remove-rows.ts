import { type Compilable, sql } from 'kysely';
import type { Transaction } from '../../kernel.ts';

/** Removes the rows of an addition's table in which each of these columns has one of its values; no values: none. */
export async function removeRows(
  trx: Transaction,
  table: string,
  columns: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const conditions = Object.entries(columns);
  if (conditions.some(([, values]) => values.length === 0)) return;
  const where = conditions.map(([column, values]) => sql`${sql.ref(column)} in (${sql.join(values)})`);
  const removal = sql`delete from ${sql.table(table)} where ${sql.join(where, sql` and `)}`;
  await trx.run({ compile: () => removal.compile(trx.builder) } as Compilable<unknown>);
}
