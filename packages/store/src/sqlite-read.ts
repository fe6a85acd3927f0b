import type { Compilable } from 'kysely';
import type { SqliteConnection } from './node-sqlite.ts';
import { compiled, type Prepared } from './prepared.ts';
import { SqliteSession } from './sqlite-session.ts';
import type { ReportTurn } from './store.ts';
import type { ReportThreads } from './thread-reports.ts';
import type { WriteAheadLog } from './write-ahead-log.ts';

/** Returns rows only once they are on disk, so that no answer is lost in a power failure. */
export class ReadSession<S> extends SqliteSession<S> {
  readonly #log: WriteAheadLog;

  constructor(connection: SqliteConnection, log: WriteAheadLog) {
    super(connection);
    this.#log = log;
  }

  override async all<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R[]> {
    const rows = await super.all(query, values);
    await this.onDisk();
    return rows;
  }

  override async first<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R | undefined> {
    const row = await super.first(query, values);
    await this.onDisk();
    return row;
  }

  /** Returns the promise to await before rows are returned; null if they are on disk. */
  protected onDisk(): Promise<void> | null {
    return this.#log.flushing;
  }
}

/** Sends its queries to the report threads. */
export class ReportSession<S> extends ReadSession<S> {
  readonly #turn: ReportTurn;
  readonly #threads: ReportThreads;

  constructor(connection: SqliteConnection, log: WriteAheadLog, threads: ReportThreads, turn: ReportTurn) {
    super(connection, log);
    this.#turn = turn;
    this.#threads = threads;
  }

  override async all<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R[]> {
    const { sql: text, bind } = compiled(this.builder, query);
    const rows = (await this.#threads.all(this.#turn, text, bind(values))) as R[];
    await this.onDisk();
    return rows;
  }
}
