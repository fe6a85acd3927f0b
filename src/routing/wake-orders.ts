import { sql } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { isClosedIn } from '../queue/gates.ts';
import { IN_FLIGHT } from '../queue/in-flight.ts';

/** The maximum time until a parked order is claimed again. */
export const PARKED_AT_MOST_MS = 5 * 60_000;
const MODES = ['live', 'test', 'simulated'];
/** Maximum number of orders made due: more would only compete for slots; the others are due within a minute anyway. */
const AT_ONCE = 200;

/** Makes refused and parked orders that wait for a valve of this engine due now. */
export async function wakeOrders(trx: Transaction, engine: string): Promise<void> {
  const queues = MODES.map((mode) => `${engine}:${mode}`);
  const { builder, now } = trx;
  const refused = builder
    .selectFrom('tasks')
    .select('id')
    .where('queue', 'in', queues)
    .where(IN_FLIGHT)
    .where('step', '=', 'deferred')
    .where('worker', 'is', null)
    .orderBy('next_at')
    .limit(AT_ONCE);
  const parked = builder
    .selectFrom('tasks')
    .select('id')
    .where('next_at', '>', now)
    .where('next_at', '<=', sql<number>`${now} + ${sql.lit(PARKED_AT_MOST_MS)}`)
    .where('queue', 'in', queues)
    .where(isClosedIn('route'))
    .where('worker', 'is', null);
  for (const found of [refused, parked]) {
    await trx.run(
      builder
        .updateTable('tasks')
        .set({ next_at: now })
        .where('id', 'in', found)
        .where('next_at', '>', now)
        .where('worker', 'is', null),
    );
  }
}
