import { sleep, world } from '@darkroom-service/contract';
import type { Store, Transaction } from '@darkroom-service/darkroom/kernel';
import { type Compilable, sql } from 'kysely';

const LOOKED_AT_TOGETHER = 1_000;
const MAX_PAUSE_MS = 200;

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

/**
 * Removes the rows of some owners from a table with a column `id`, in slices with pauses that leave time for orders. It
 * reads every row once, whether or not the table has an index for it.
 * @param column names the owner
 */
export async function removeInSlices(
  { read, write }: Pick<Store, 'read' | 'write'>,
  { table, column, owners }: { readonly table: string; readonly column: string; readonly owners: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const began = world.monotonic();
    const select = sql<{ id: string; owner: string }>`select id, ${sql.ref(column)} as owner from ${sql.table(table)}
      where id > ${after} order by id limit ${sql.lit(LOOKED_AT_TOGETHER)}`;
    const page = await read.all({ compile: () => select.compile(read.builder) } as Compilable<{
      id: string;
      owner: string;
    }>);
    const ids = page.filter(({ owner }) => owners.includes(owner)).map(({ id }) => id);
    if (ids.length > 0) await write('erasure_removes', (trx) => removeRows(trx, table, { id: ids }));
    if (page.length < LOOKED_AT_TOGETHER) return;
    after = page.at(-1)?.id ?? after;
    // A pause as long as the work took.
    await sleep(Math.min(MAX_PAUSE_MS, world.monotonic() - began));
  }
}
