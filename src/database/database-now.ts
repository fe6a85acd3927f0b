import type { Session } from './database.ts';

/** Returns the database's time in milliseconds since 1970 UTC. */
export async function databaseNow(session: Session): Promise<number> {
  const row = await session.first(session.builder.selectNoFrom(session.now.as('now')));
  if (row === undefined) throw new Error('the database tells no time');
  return row.now;
}
