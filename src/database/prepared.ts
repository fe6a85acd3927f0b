import {
  type Argument,
  type ArgumentTypes,
  type Prepared,
  prepareWithClock as prepareClockFor,
  prepare as prepareFor,
  prepareWith as prepareGivenFor,
  prepareSharedSelect as prepareSelectFor,
  prepareSharedUpdate as prepareUpdateFor,
  type Shared,
} from '@darkroom-service/store';
import {
  type Compilable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
} from 'kysely';
import type { Session } from './database.ts';
import type { Schema } from './schema.ts';

/**
 * Prepares a statement with arguments. Create it once at module level and run it with
 * `session.all(statement, arguments)`.
 * @param name unique in the service: PostgreSQL prepares the statement under it.
 */
export function prepare<A extends object, R>(
  name: string,
  build: (builder: Kysely<Schema>, argument: Argument<A>) => Compilable<R>,
): Prepared<A, R> {
  return prepareFor<Schema, A, R>(name, build);
}

/**
 * A prepared count of the tasks that `select` finds, as `count`. Give the selection a limit: then no more of the index
 * is read, however many tasks there are.
 */
export function prepareTaskCount<A extends object, T extends keyof Schema = 'tasks'>(
  name: string,
  select: (builder: Kysely<Schema>, argument: Argument<A>) => SelectQueryBuilder<Schema, T, { id: string }>,
): Prepared<A, { count: number }> {
  return prepare(name, (builder, argument) => builder.selectNoFrom(countOf(select(builder, argument)).as('count')));
}

/** Counts the rows that a selection finds. */
export function countOf<T extends keyof Schema>(
  select: SelectQueryBuilder<Schema, T, { id: string }>,
): RawBuilder<number> {
  return sql<number>`(select count(*) from ${select} as counted)`;
}

/**
 * Prepares an update of one row that can be sent alone or for many rows at once.
 * @param name unique in the service
 * @param options.row the argument that names the row to change
 * @param build makes the statement; it must return its row
 */
export function prepareSharedUpdate<A extends object, R, T extends keyof Schema>(
  name: string,
  options: { readonly row: keyof A & string; readonly types: ArgumentTypes<A> },
  build: (builder: Kysely<Schema>, argument: Argument<A>) => UpdateQueryBuilder<Schema, T, T, R>,
): Shared<A, R> {
  return prepareUpdateFor<Schema, A, R, T>(name, options, build);
}

/**
 * Prepares a query of one row that can be sent alone or for many rows at once.
 * @param build makes the query; its conditions must find at most one row
 */
export function prepareSharedSelect<A extends object, R, T extends keyof Schema>(
  name: string,
  types: ArgumentTypes<A>,
  build: (builder: Kysely<Schema>, argument: Argument<A>) => SelectQueryBuilder<Schema, T, R>,
): Shared<A, R> {
  return prepareSelectFor<Schema, A, R, T>(name, types, build);
}

/**
 * Prepares a statement built with an object that exists once in a service, such as a list of hooks.
 * @param name unique in the service
 * @returns the statement with such an object
 */
export function prepareWith<G extends object, A extends object, R>(
  name: string,
  build: (builder: Kysely<Schema>, given: G, argument: Argument<A>) => Compilable<R>,
): (given: G) => Prepared<A, R> {
  return prepareGivenFor<Schema, G, A, R>(name, build);
}

/**
 * Prepares a statement that contains the database's clock, once for each kind of database.
 * @param name unique in the service
 * @returns the statement for a session's database
 */
export function prepareWithClock<A extends object, R>(
  name: string,
  build: (builder: Kysely<Schema>, now: RawBuilder<number>, argument: Argument<A>) => Compilable<R>,
): (session: Session) => Prepared<A, R> {
  return prepareClockFor<Schema, A, R>(name, build);
}
