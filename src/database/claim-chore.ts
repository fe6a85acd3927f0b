import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Claims a periodic chore for this process; true at most once per interval among all processes. If the process dies,
 * the chore waits for the next interval.
 */
export async function claimChore(database: Database, chore: string, everyMs: number): Promise<boolean> {
  return await database.write('take_turn', async (trx) => {
    const next = sql<number>`${trx.now} + ${sql.lit(everyMs)}`;
    const taken = await trx.first(
      trx.builder
        .insertInto('chores')
        .values({ name: chore, next_at: next })
        .onConflict((conflict) =>
          conflict
            .column('name')
            // Servers that distribute tables refuse a clock here.
            .doUpdateSet(({ ref }) => ({ next_at: ref('excluded.next_at') }))
            .where('chores.next_at', '<=', sql<number>`excluded.next_at - ${sql.lit(everyMs)}`),
        )
        .returning('name'),
    );
    return taken !== undefined;
  });
}
