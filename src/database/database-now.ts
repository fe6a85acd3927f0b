import { type Argument, type Prepared, prepareWithClock as prepareFor } from '@darkroom-service/store';
import type { Compilable, Kysely, RawBuilder } from 'kysely';
import type { Session } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Prepares a statement that contains the database's clock, once for each kind of database.
 * @param name unique in the service
 * @returns the statement for a session's database
 */
export function prepareWithClock<A extends object, R>(
  name: string,
  build: (builder: Kysely<Schema>, now: RawBuilder<number>, argument: Argument<A>) => Compilable<R>,
): (session: Session) => Prepared<A, R> {
  return prepareFor<Schema, A, R>(name, build);
}

const selectNow = prepareWithClock<object, { now: number }>('database_now', (builder, now) =>
  builder.selectNoFrom(now.as('now')),
);

/** Returns the database's time in milliseconds since 1970 UTC. */
export async function databaseNow(session: Session): Promise<number> {
  const row = await session.first(selectNow(session), {});
  if (row === undefined) throw new Error('the database tells no time');
  return row.now;
}
