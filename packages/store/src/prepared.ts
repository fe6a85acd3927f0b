import type { Clock } from '@darkroom-service/contract';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';

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
  /** @param builder of the session that runs it */
  readonly compile: (builder: object) => CompiledStatement;
  /** Never set: carries the types of arguments and rows. */
  readonly types?: { readonly arguments: A; readonly row: R };
}

/** Stands for the value of an argument until the statement is run. */
class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A parameter that takes its value from a clock when the statement is sent. */
class ClockParameter {
  readonly clock: Clock;
  constructor(clock: Clock) {
    this.clock = clock;
  }
}

/** Returns the time of a clock as a parameter: a statement has one time, however many rows it compares with it. */
export function clockParameter(clock: Clock): RawBuilder<number> {
  return sql<number>`${new ClockParameter(clock)}`;
}

export type Argument<A extends object> = <K extends keyof A & string>(name: K) => RawBuilder<A[K]>;

/**
 * Prepares a statement with arguments.
 * @param name unique in the service: PostgreSQL prepares the statement under it.
 */
export function prepare<S, A extends object, R>(
  name: string,
  build: (builder: Kysely<S>, argument: Argument<A>) => Compilable<R>,
): Prepared<A, R> {
  const cache = new WeakMap<object, CompiledStatement>();
  return {
    name,
    compile(builder) {
      const cached = cache.get(builder);
      if (cached !== undefined) return cached;
      const query = build(builder as Kysely<S>, (argument) => sql`${new Slot(argument)}`).compile();
      const statement = { name, sql: query.sql, parameters: query.parameters };
      cache.set(builder, statement);
      return statement;
    },
  };
}

/** Returns the parameters of a statement in order, with the arguments and the time filled in. */
function bindParameters(parameters: readonly unknown[], values: object | undefined): unknown[] {
  let time: number | null = null;
  return parameters.map((parameter) => {
    if (parameter instanceof ClockParameter) {
      time ??= parameter.clock.now();
      return time;
    }
    return parameter instanceof Slot ? (values as Record<string, unknown>)[parameter.name] : parameter;
  });
}

/** Returns the statement to send for a query; `name` is null if it was built ad hoc. */
export function toStatement(
  builder: object,
  query: Prepared<object, unknown> | Compilable<unknown>,
  values: object | undefined,
): { readonly name: string | null; readonly sql: string; readonly parameters: unknown[] } {
  const { name, sql: text, parameters } = 'name' in query ? query.compile(builder) : { ...query.compile(), name: null };
  return { name, sql: text, parameters: bindParameters(parameters, values) };
}
