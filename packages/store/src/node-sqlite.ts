import { createHash } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LEAVE_NOTHING } from './leave-nothing.ts';
import type { LogState } from './write-ahead-log.ts';

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_KEPT = 512;

type Row = Record<string, unknown>;

/** Finds statements whose columns are known only when they run: `select *` and `returning *`, but not `count(*)`. */
const ALL_COLUMNS = /[^(]\*/;

/**
 * A statement that returns rows as ordinary objects. Rows of `node:sqlite` have no prototype and no hidden class:
 * copying one with 50 columns takes 20 µs instead of 1.
 */
class RowStatement {
  readonly statement: StatementSync;
  readonly #schemaVersion: (() => number) | null;
  #columns: readonly string[] | null = null;
  #columnsOf = 0;
  #empty: Row = {};

  /** Wraps a statement. @param schemaVersion returns a number that every process's change of the schema raises */
  constructor(statement: StatementSync, sql: string, schemaVersion: () => number) {
    statement.setReturnArrays(true);
    this.statement = statement;
    this.#schemaVersion = ALL_COLUMNS.test(sql) ? schemaVersion : null;
  }

  /** Makes objects of the rows that the statement has just returned. */
  rowsOf(found: readonly (readonly unknown[])[]): Row[] {
    const columns = this.#currentColumns();
    return found.map((values) => this.#rowOf(columns, values));
  }

  /** Makes an object of the row that the statement has just returned. */
  rowOf(found: readonly unknown[]): Row {
    return this.#rowOf(this.#currentColumns(), found);
  }

  #rowOf(columns: readonly string[], values: readonly unknown[]): Row {
    const row = { ...this.#empty };
    for (let index = 0; index < values.length; index++) row[columns[index]!] = values[index];
    return row;
  }

  #currentColumns(): readonly string[] {
    // Read after the rows: if the schema has changed since, the statement still has the columns of these rows.
    const version = this.#schemaVersion?.() ?? 0;
    if (this.#columns === null || version !== this.#columnsOf) {
      this.#columns = this.statement.columns().map(({ name }) => name);
      this.#columnsOf = version;
      this.#empty = Object.fromEntries(this.#columns.map((column) => [column, null]));
    }
    return this.#columns;
  }
}

/** A connection to an SQLite file. Caches prepared statements by their text. */
export class SqliteConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, RowStatement>();
  readonly #schemaVersion: () => number;
  readonly #logState: StatementSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  /** Returns the database's time in milliseconds since 1970. */
  readonly now: () => number;

  /**
   * Opens the file. @param options.waitsMs milliseconds to wait for other processes until `serve` is called; absent = 5
   * s
   */
  constructor(
    path: string,
    options: { readonly readOnly: boolean; readonly now: () => number; readonly waitsMs?: number },
  ) {
    const timeout = options.waitsMs ?? BUSY_TIMEOUT_MS;
    this.now = options.now;
    this.#database = new DatabaseSync(path, { readOnly: options.readOnly, timeout });
    this.#database.function('darkroom_digest', { deterministic: true }, (value) =>
      createHash('sha256').update(String(value)).digest('base64url'),
    );
    this.#database.function('darkroom_nfc', { deterministic: true }, (value) => String(value).normalize('NFC'));
    try {
      this.#setUp(options.readOnly);
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.#begin = this.#database.prepare('begin immediate');
    this.#commit = this.#database.prepare('commit');
    this.#logState = this.#database.prepare('pragma wal_checkpoint(noop)');
    const version = this.#database.prepare('pragma schema_version');
    this.#schemaVersion = () => Number(version.get()?.schema_version);
  }

  #setUp(readOnly: boolean): void {
    // The write-ahead log is flushed and checkpointed off the event loop, by `write-ahead-log.ts`.
    if (!readOnly) {
      this.#database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 0');
      this.#database.exec(LEAVE_NOTHING);
    }
    this.#database.exec(
      'pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -8192; pragma mmap_size = 268435456',
    );
  }

  /** Limits the wait for other processes to 5 s from now on, since the event loop waits too. */
  serve(): void {
    this.#database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Rolls the transaction back. On a full disk SQLite does so itself. */
  rollBack(): void {
    if (this.inTransaction) this.exec('rollback');
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Begins a transaction that writes: a plain `begin` fails when another process writes, whatever the timeout. */
  begin(): void {
    this.#begin.run();
  }

  commit(): void {
    this.#commit.run();
  }

  all(sql: string, parameters: readonly unknown[]): unknown[] {
    const prepared = this.#prepare(sql);
    const rows = prepared.statement.all(...(parameters as SQLInputValue[])) as unknown as unknown[][];
    return rows.length === 0 ? [] : prepared.rowsOf(rows);
  }

  first(sql: string, parameters: readonly unknown[]): unknown {
    const prepared = this.#prepare(sql);
    const values = prepared.statement.get(...(parameters as SQLInputValue[])) as unknown as unknown[] | undefined;
    return values === undefined ? undefined : prepared.rowOf(values);
  }

  run(sql: string, parameters: readonly unknown[]): number {
    return Number(this.#prepare(sql).statement.run(...(parameters as SQLInputValue[])).changes);
  }

  logState(): LogState {
    const { log, checkpointed } = this.#logState.get() as { log: number; checkpointed: number };
    return { pages: log, checkpointed };
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
    const statement = new RowStatement(this.#database.prepare(sql), sql, this.#schemaVersion);
    this.#statements.set(sql, statement);
    return statement;
  }
}
