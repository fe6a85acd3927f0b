import type { Session } from './database.ts';
import { prepareWithClock } from './prepared.ts';

const selectNow = prepareWithClock<object, { now: number }>('database_now', (builder, now) =>
  builder.selectNoFrom(now.as('now')),
);

/** Returns the database's time in milliseconds since 1970 UTC. */
export async function databaseNow(session: Session): Promise<number> {
  const row = await session.first(selectNow(session), {});
  if (row === undefined) throw new Error('the database tells no time');
  return row.now;
}
