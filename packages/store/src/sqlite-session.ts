import { type Compilable, DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, sql } from 'kysely';
import type { SqliteConnection } from './node-sqlite.ts';
import { type Prepared, toStatement } from './prepared.ts';
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
const now = sql<number>`darkroom_now()`;

/** Runs queries on a connection, at once and on this thread. */
export class SqliteSession<S> implements Session<S> {
  readonly builder = builder as unknown as Kysely<S>;
  readonly now = now;
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  async all<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R[]> {
    const { sql: text, parameters } = toStatement(builder, query, values);
    return this.#connection.all(text, parameters) as R[];
  }

  async first<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R | undefined> {
    const { sql: text, parameters } = toStatement(builder, query, values);
    return this.#connection.first(text, parameters) as R | undefined;
  }

  async run(query: Prepared<object, unknown> | Compilable<unknown>, values?: object): Promise<number> {
    const { sql: text, parameters } = toStatement(builder, query, values);
    return this.#connection.run(text, parameters);
  }
}
