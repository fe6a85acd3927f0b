import type { Compilable, Kysely, RawBuilder } from 'kysely';
import { type Argument, type Prepared, prepare } from './prepared.ts';
import type { Statements } from './store.ts';

/**
 * Prepares a statement that contains the database's clock, once for each kind of database.
 * @param name unique in the service
 * @returns the statement for a session's database
 */
export function prepareWithClock<S, A extends object, R>(
  name: string,
  build: (builder: Kysely<S>, now: RawBuilder<number>, argument: Argument<A>) => Compilable<R>,
): (session: Pick<Statements, 'now'>) => Prepared<A, R> {
  const made = new WeakMap<object, Prepared<A, R>>();
  return ({ now }) => {
    const known = made.get(now);
    if (known !== undefined) return known;
    const statement = prepare<S, A, R>(name, (builder, argument) => build(builder, now, argument));
    made.set(now, statement);
    return statement;
  };
}
