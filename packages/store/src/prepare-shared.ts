import {
  type Compilable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
} from 'kysely';
import { type Argument, type Prepared, prepare } from './prepared.ts';

/**
 * A statement that finds or changes at most one row; it is sent for many sets of arguments at once if each statement
 * costs a round trip. Run it with `transaction.firstShared(statement, arguments)`.
 */
export interface Shared<A extends object, R> {
  readonly one: Prepared<A, R>;
  /** The statement with a list for each argument. In its rows, `given_place` is the number of their set, from 1. */
  readonly many: Prepared<Lists<A>, R & GivenPlace>;
  readonly arguments: readonly (keyof A & string)[];
  /**
   * The argument that names the row to change; null = nothing is changed. Sets with the same value do not share a
   * statement, since a statement changes a row once.
   */
  readonly changes: (keyof A & string) | null;
}

/** A list for each argument. */
type Lists<A extends object> = { [K in keyof A]: readonly A[K][] };

/** Placeholder for the tables of a statement whose schema is not known here. */
interface AnySchema {
  any: Record<string, unknown>;
}

export interface GivenPlace {
  readonly given_place: number;
}

/** The types of a statement's arguments, which PostgreSQL cannot infer from their lists. */
export type ArgumentTypes<A extends object> = { readonly [K in keyof A & string]: 'text' | 'bigint' };

/**
 * Prepares an update of one row that can be sent alone or for many rows at once.
 * @param name unique in the service
 * @param options.row the argument that names the row to change
 * @param build makes the statement; it must return its row
 */
export function prepareSharedUpdate<S, A extends object, R, T extends keyof S & string>(
  name: string,
  { row, types }: { readonly row: keyof A & string; readonly types: ArgumentTypes<A> },
  build: (builder: Kysely<S>, argument: Argument<A>) => UpdateQueryBuilder<S, T, T, R>,
): Shared<A, R> {
  return {
    one: prepare<S, A, R>(name, build),
    many: prepare<S, Lists<A>, R & GivenPlace>(`${name}_each`, (builder, argument) => {
      const query = build(builder, givenArgument) as unknown as UpdateQueryBuilder<AnySchema, 'any', 'any', object>;
      return query.from(given<A>(types, argument)).returning(givenPlace) as unknown as Compilable<R & GivenPlace>;
    }),
    arguments: namesOf(types),
    changes: row,
  };
}

/**
 * Prepares a query of one row that can be sent alone or for many rows at once.
 * @param build makes the query; its conditions must find at most one row
 */
export function prepareSharedSelect<S, A extends object, R, T extends keyof S & string>(
  name: string,
  types: ArgumentTypes<A>,
  build: (builder: Kysely<S>, argument: Argument<A>) => SelectQueryBuilder<S, T, R>,
): Shared<A, R> {
  return {
    one: prepare<S, A, R>(name, build),
    many: prepare<S, Lists<A>, R & GivenPlace>(`${name}_each`, (builder, argument) => {
      const query = build(builder, givenArgument) as unknown as SelectQueryBuilder<AnySchema, 'any', object>;
      const joined = query.innerJoin(given<A>(types, argument), (join) => join.onTrue()).select(givenPlace);
      return joined as unknown as Compilable<R & GivenPlace>;
    }),
    arguments: namesOf(types),
    changes: null,
  };
}

const givenPlace = sql.ref<number>('given.place').as('given_place');

/** Returns the value of an argument in the row of its set. */
function givenArgument(name: string): RawBuilder<never> {
  return sql.ref(`given.given_${name}`);
}

/** Returns the sets of arguments as a table, made from a list of each. */
function given<A extends object>(types: ArgumentTypes<A>, argument: Argument<Lists<A>>) {
  const names = namesOf(types);
  const lists = names.map((name) => sql`cast(${argument(name)} as ${sql.raw(types[name])}[])`);
  const columns = names.map((name) => sql.ref(`given_${name}`));
  const table = sql<{ place: number }>`unnest(${sql.join(lists)}) with ordinality`;
  return table.as<'given'>(sql`given (${sql.join([...columns, sql.ref('place')])})`);
}

function namesOf<A extends object>(types: ArgumentTypes<A>): (keyof A & string)[] {
  return Object.keys(types) as (keyof A & string)[];
}
