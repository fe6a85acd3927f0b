import type { Compilable, Kysely, RawBuilder } from 'kysely';
import { type Argument, type Prepared, prepare } from './prepared.ts';
import type { Statements } from './store.ts';

/**
 * Prepares a statement that is made with an object that exists once in a service, such as a list of hooks.
 * @param name unique in the service
 * @returns the statement with such an object
 */
export function prepareWith<S, G extends object, A extends object, R>(
  name: string,
  build: (builder: Kysely<S>, given: G, argument: Argument<A>) => Compilable<R>,
): (given: G) => Prepared<A, R> {
  const made = new WeakMap<G, Prepared<A, R>>();
  return (given) => {
    const known = made.get(given);
    if (known !== undefined) return known;
    const statement = prepare<S, A, R>(name, (builder, argument) => build(builder, given, argument));
    made.set(given, statement);
    return statement;
  };
}

/**
 * Prepares a statement that contains the database's clock, once for each kind of database.
 * @param name unique in the service
 * @returns the statement for a session's database
 */
export function prepareWithClock<S, A extends object, R>(
  name: string,
  build: (builder: Kysely<S>, now: RawBuilder<number>, argument: Argument<A>) => Compilable<R>,
): (session: Pick<Statements, 'now'>) => Prepared<A, R> {
  const withClock = prepareWith(name, build);
  return ({ now }) => withClock(now);
}
