import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_KEPT = 512;

/** One connection to an SQLite file. Caches prepared statements by their text. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string, options: { readonly readOnly: boolean; readonly now: () => number }) {
    this.#database = new DatabaseSync(path, { readOnly: options.readOnly, timeout: BUSY_TIMEOUT_MS });
    this.#database.function('darkroom_now', () => options.now());
    if (!options.readOnly) this.#database.exec('pragma journal_mode = wal; pragma synchronous = full');
    this.#database.exec(
      'pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -16384; pragma mmap_size = 268435456',
    );
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  all(sql: string, parameters: readonly unknown[]): unknown[] {
    return this.#prepare(sql).all(...(parameters as SQLInputValue[]));
  }

  first(sql: string, parameters: readonly unknown[]): unknown {
    return this.#prepare(sql).get(...(parameters as SQLInputValue[]));
  }

  run(sql: string, parameters: readonly unknown[]): number {
    return Number(this.#prepare(sql).run(...(parameters as SQLInputValue[])).changes);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    if (this.#statements.size >= STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
