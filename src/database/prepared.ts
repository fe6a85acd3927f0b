import { type Argument, type Prepared, prepare as prepareFor } from '@darkroom-service/store';
import type { Compilable, Kysely, SelectQueryBuilder } from 'kysely';
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
export function prepareTaskCount<A extends object>(
  name: string,
  select: (builder: Kysely<Schema>, argument: Argument<A>) => SelectQueryBuilder<Schema, 'tasks', { id: string }>,
): Prepared<A, { count: number }> {
  return prepare(name, (builder, argument) =>
    builder
      .selectFrom(select(builder, argument).as('counted'))
      .select((expression) => expression.fn.countAll<number>().as('count')),
  );
}
