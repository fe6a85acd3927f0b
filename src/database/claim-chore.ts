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
          conflict.column('name').doUpdateSet({ next_at: next }).where('chores.next_at', '<=', trx.now),
        )
        .returning('name'),
    );
    return taken !== undefined;
  });
}
