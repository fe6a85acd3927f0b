import type { Clock } from '@darkroom-service/contract';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { clockParameter, compiled, type Prepared } from './prepared.ts';
import type { Session } from './store.ts';

/** A statement as it is sent. The server keeps a named one prepared. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

export interface Answer {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: unknown[];
}

/** Sends a statement over the connection it belongs to. */
export type Send = (statement: Statement) => Promise<Answer>;

const builder = new Kysely<object>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * Returns the database's time as an expression, in milliseconds since 1970.
 * @param clock moves the database's time in tests; null = the server's own clock.
 */
export function nowExpression(clock: Clock | null): RawBuilder<number> {
  if (clock === null) return sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`;
  return sql<number>`cast(${clockParameter(clock)} as bigint)`;
}

export class PostgresSession<S> implements Session<S> {
  readonly builder = builder as unknown as Kysely<S>;
  readonly now: RawBuilder<number>;
  readonly #send: Send;

  constructor(send: Send, now: RawBuilder<number>) {
    this.#send = send;
    this.now = now;
  }

  /** Does nothing: earlier versions of rows go when the server vacuums. */
  erases(): void {}

  async all<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R[]> {
    return (await this.#send(statementOf(query, values))).rows as R[];
  }

  async first<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R | undefined> {
    return (await this.#send(statementOf(query, values))).rows[0] as R | undefined;
  }

  async run(query: Prepared<object, unknown> | Compilable<unknown>, values?: object): Promise<number> {
    return (await this.#send(statementOf(query, values))).rowCount ?? 0;
  }
}

/** Returns the statement to send for a query, with its parameter values. */
export function statementOf(
  query: Prepared<object, unknown> | Compilable<unknown>,
  values: object | undefined,
): Statement {
  const { name, sql: text, bind } = compiled(builder, query);
  const parameters = bind(values);
  const preparedAs = name ?? nameOf(text);
  return preparedAs === null ? { text, values: parameters } : { name: preparedAs, text, values: parameters };
}

/**
 * Uses after which a query that is built ad hoc is prepared too: planning a query on tasks takes 0.5 ms, running it
 * 0.05 ms.
 */
const USES_BEFORE_PREPARED = 3;
const PREPARED_AT_MOST = 400;
const SEEN_AT_MOST = 4_000;

const seen = new Map<string, number>();
const named = new Map<string, string>();

function nameOf(text: string): string | null {
  const known = named.get(text);
  if (known !== undefined) return known;
  if (named.size >= PREPARED_AT_MOST) return null;
  const uses = (seen.get(text) ?? 0) + 1;
  if (uses < USES_BEFORE_PREPARED) {
    if (seen.size >= SEEN_AT_MOST) seen.clear();
    seen.set(text, uses);
    return null;
  }
  seen.delete(text);
  const name = `often_${named.size + 1}`;
  named.set(text, name);
  return name;
}
