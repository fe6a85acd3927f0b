import type { Clock } from '@darkroom-service/contract';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';

/** A statement compiled once per database. */
interface CompiledStatement {
  readonly sql: string;
  /** Returns the values of its parameters in order, with the arguments and the time filled in. */
  readonly bind: (values: object | undefined) => unknown[];
}

/**
 * A frequently used statement with named arguments `A` and rows `R`. Create it once at module level and run it with
 * `session.all(statement, arguments)`.
 */
export interface Prepared<A extends object, R> {
  readonly name: string;
  /** Compiles the statement. @param builder the builder of the session that runs the statement */
  readonly compile: (builder: object) => CompiledStatement & { readonly name: string };
  /** Types of arguments and rows; never set. */
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
  const cache = new WeakMap<object, CompiledStatement & { readonly name: string }>();
  return {
    name,
    compile(builder) {
      const cached = cache.get(builder);
      if (cached !== undefined) return cached;
      const query = build(builder as Kysely<S>, (argument) => sql`${new Slot(argument)}`).compile();
      const statement = { name, sql: query.sql, bind: bindingOf(query.parameters) };
      cache.set(builder, statement);
      return statement;
    },
  };
}

/** Compiles a query for the sessions of a builder; its name is null if it was built ad hoc. */
export function compiled(
  builder: object,
  query: Prepared<object, unknown> | Compilable<unknown>,
): CompiledStatement & { readonly name: string | null } {
  if ('name' in query) return query.compile(builder);
  const { sql: text, parameters } = query.compile();
  return { name: null, sql: text, bind: bindingOf(parameters) };
}

function bindingOf(parameters: readonly unknown[]): CompiledStatement['bind'] {
  const clock = parameters.find((parameter) => parameter instanceof ClockParameter)?.clock;
  const argumentNames = parameters.map((parameter) => (parameter instanceof Slot ? parameter.name : null));
  return (values) => {
    // A statement has one time, however many rows it compares with it.
    const time = clock?.now();
    const given = values as Readonly<Record<string, unknown>>;
    const bound: unknown[] = [];
    for (let place = 0; place < argumentNames.length; place++) {
      const name = argumentNames[place] as string | null;
      const parameter = parameters[place];
      if (name !== null) bound.push(given[name]);
      else bound.push(parameter instanceof ClockParameter ? time : parameter);
    }
    return bound;
  };
}
