import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_KEPT = 512;

type Row = Record<string, unknown>;

/**
 * A statement that returns rows as ordinary objects. Those of `node:sqlite` have no prototype and no hidden class: a
 * copy of one with 50 columns takes 20 µs instead of 1.
 */
class RowStatement {
  readonly statement: StatementSync;
  /** A row of nulls; null before the first row, since a statement that is prepared anew may have other columns. */
  #empty: Row | null = null;
  #columns: readonly string[] = [];

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true);
    this.statement = statement;
  }

  rowOf(values: readonly unknown[]): Row {
    // Another process may have added columns.
    if (this.#empty === null || values.length !== this.#columns.length) {
      this.#columns = this.statement.columns().map(({ name }) => name);
      this.#empty = Object.fromEntries(this.#columns.map((column) => [column, null]));
    }
    const row = { ...this.#empty };
    for (let index = 0; index < values.length; index++) row[this.#columns[index]!] = values[index];
    return row;
  }
}

const CHANGES_SCHEMA = /^\s*(?:create|alter|drop)\b/i;

/** One connection to an SQLite file. Caches prepared statements by their text. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, RowStatement>();

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
    const prepared = this.#prepare(sql);
    const rows = prepared.statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
    return rows.map((values) => prepared.rowOf(values));
  }

  first(sql: string, parameters: readonly unknown[]): unknown {
    const prepared = this.#prepare(sql);
    const values = prepared.statement.get(...(parameters as SQLInputValue[])) as unknown as unknown[] | undefined;
    return values === undefined ? undefined : prepared.rowOf(values);
  }

  run(sql: string, parameters: readonly unknown[]): number {
    const { changes } = this.#prepare(sql).statement.run(...(parameters as SQLInputValue[]));
    if (CHANGES_SCHEMA.test(sql)) this.#statements.clear();
    return Number(changes);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): RowStatement {
    const cached = this.#statements.get(sql);
    if (cached !== undefined) return cached;
    if (this.#statements.size >= STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next().value;
      if (oldest !== undefined) this.#statements.delete(oldest);
    }
    const statement = new RowStatement(this.#database.prepare(sql));
    this.#statements.set(sql, statement);
    return statement;
  }
}
