import { type Compilable, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** A statement compiled once per database: its SQL, and for each parameter a value or the name of an argument. */
interface CompiledStatement {
  readonly name: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/**
 * A frequently used statement with named arguments `A` and rows `R`. Create it once at module level and run it with
 * `session.all(statement, arguments)`.
 */
export interface Prepared<A extends object, R> {
  readonly name: string;
  readonly compile: (builder: Kysely<Schema>) => CompiledStatement;
  /** Never set: carries the types of arguments and rows. */
  readonly types?: { readonly arguments: A; readonly row: R };
}

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export type Argument<A extends object> = <K extends keyof A & string>(name: K) => RawBuilder<A[K]>;

/**
 * Prepares a statement with arguments.
 * @param name unique in the service: PostgreSQL prepares the statement under it.
 */
export function prepare<A extends object, R>(
  name: string,
  build: (builder: Kysely<Schema>, argument: Argument<A>) => Compilable<R>,
): Prepared<A, R> {
  const cache = new WeakMap<Kysely<Schema>, CompiledStatement>();
  return {
    name,
    compile(builder) {
      const cached = cache.get(builder);
      if (cached !== undefined) return cached;
      const query = build(builder, (argument) => sql`${new Slot(argument)}`).compile();
      const statement = { name, sql: query.sql, parameters: query.parameters };
      cache.set(builder, statement);
      return statement;
    },
  };
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

/** Returns the parameters of a compiled statement in order, with the arguments filled in. */
function bindArguments(statement: CompiledStatement, values: object): unknown[] {
  return statement.parameters.map((parameter) =>
    parameter instanceof Slot ? (values as Record<string, unknown>)[parameter.name] : parameter,
  );
}

/** Returns the statement to send for a query; `name` is null if it was built ad hoc. */
export function toStatement(
  builder: Kysely<Schema>,
  query: Prepared<object, unknown> | Compilable<unknown>,
  values: object | undefined,
): { readonly name: string | null; readonly sql: string; readonly parameters: readonly unknown[] } {
  if (!('name' in query)) {
    const { sql: text, parameters } = query.compile();
    return { name: null, sql: text, parameters };
  }
  const statement = query.compile(builder);
  return { ...statement, parameters: values === undefined ? statement.parameters : bindArguments(statement, values) };
}
