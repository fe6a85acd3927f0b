import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Whether it is this process's turn to do a chore that is done once per interval, whoever is alive. Who takes a turn and dies leaves the
 * chore to the next turn.
 */
export async function takeTurn(database: Database, chore: string, everyMs: number): Promise<boolean> {
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
