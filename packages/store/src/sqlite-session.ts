import { type Compilable, DummyDriver, Kysely, type RawBuilder, SqliteAdapter, SqliteIntrospector } from 'kysely';
import type { SqliteConnection } from './node-sqlite.ts';
import { clockParameter, compiled, type Prepared } from './prepared.ts';
import { SqliteCompiler } from './sqlite-compiler.ts';
import type { Session } from './store.ts';

const builder = new Kysely<object>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  },
});
/** The clock expression of each connection; statements are compiled once per connection. */
const clocks = new WeakMap<SqliteConnection, RawBuilder<number>>();

/** Runs queries on a connection, synchronously on this thread. */
export class SqliteSession<S> implements Session<S> {
  readonly builder = builder as unknown as Kysely<S>;
  readonly now: RawBuilder<number>;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.now = nowOf(connection);
  }

  async all<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R[]> {
    const { sql: text, bind } = compiled(builder, query);
    return this.#connection.all(text, bind(values)) as R[];
  }

  async first<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R | undefined> {
    const { sql: text, bind } = compiled(builder, query);
    return this.#connection.first(text, bind(values)) as R | undefined;
  }

  async run(query: Prepared<object, unknown> | Compilable<unknown>, values?: object): Promise<number> {
    const { sql: text, bind } = compiled(builder, query);
    return this.#connection.run(text, bind(values));
  }
}

function nowOf(connection: SqliteConnection): RawBuilder<number> {
  const known = clocks.get(connection);
  if (known !== undefined) return known;
  const now = clockParameter(connection);
  clocks.set(connection, now);
  return now;
}
