import { sql } from 'kysely';
import type { Database, Session } from '../../database/database.ts';
import { databaseNow } from '../../database/database-now.ts';
import { IN_FLIGHT } from '../../tasks/in-flight.ts';
import { updateUnlocked } from '../../tasks/update-unlocked.ts';

/** Claims of the previous version have no row in `processes`, and their leases never reach this far. */
const BEYOND_OLD_CLAIMS_MS = 5 * 60_000;

/**
 * Makes tasks due whose owner has ended: a commit of the owner reached the database after its tasks were taken over or
 * it had left.
 * @returns the number of tasks
 */
export async function takeOverOwnerless(database: Database): Promise<number> {
  const now = await databaseNow(database.read);
  if ((await database.read.first(ownerless(database.read, now).limit(1))) === undefined) return 0;
  return await database.write('take_over', (trx) =>
    trx.run(updateUnlocked(trx.builder, ownerless(trx, now)).set({ next_at: now })),
  );
}

function ownerless({ builder }: Session, now: number) {
  return builder
    .selectFrom('tasks')
    .select('id')
    .where(IN_FLIGHT)
    .where('worker', 'is not', null)
    .where('next_at', '>', now + BEYOND_OLD_CLAIMS_MS)
    .where(
      sql<boolean>`not exists (select 1 from processes where processes.id = tasks.worker and processes.ended_at is null)`,
    );
}
