import { backup, DatabaseSync } from 'node:sqlite';
import { type Clock, sleep, world } from '@darkroom-service/contract';
import type { Compilable } from 'kysely';
import { runMigrations, type SchemaPlan } from './migrate.ts';
import { SqliteConnection } from './node-sqlite.ts';
import type { Shared } from './prepare-shared.ts';
import { compiled, type Prepared } from './prepared.ts';
import { createReportTurns, reportsInTurn } from './report-turns.ts';
import { isBusy, translateFault, translateOpening } from './sqlite-faults.ts';
import { ReadSession, ReportSession } from './sqlite-read.ts';
import { SqliteSession } from './sqlite-session.ts';
import type { CommitHook, Session, Store, Transaction } from './store.ts';
import type { StoreSchema } from './store-schema.ts';
import { publishLock } from './taken-locks.ts';
import { createReportThreads } from './thread-reports.ts';
import { WriteAheadLog, type WriteAheadLogOptions } from './write-ahead-log.ts';
import {
  type Committed,
  LastWrites,
  makeOnce,
  type OpenTransaction,
  type OpenUnit,
  WriteQueue,
} from './write-queue.ts';

export interface SqliteOptions {
  /** The database file; created if absent. */
  readonly path: string;
  /** The database's clock, so that tests can move leases. */
  readonly clock: Clock;
  readonly commitHook?: CommitHook | undefined;
  readonly plan: SchemaPlan;
  /** Settings for tests of flushes and checkpoints. */
  readonly log?: Pick<WriteAheadLogOptions, 'checkpointPages' | 'flush'> | undefined;
  /** The module of SQLite that reads and writes the file, for simulators: `unix-excl` locks nothing for others. */
  readonly vfs?: string | undefined;
}

/** Maximum milliseconds of a group: SQLite writes on the event loop, where everything else waits meanwhile. */
const LONGEST_GROUP_MS = 10;
/** Milliseconds to wait for a process that holds the lock, or many that start at once: nobody is served yet. */
const OPENS_WITHIN_MS = 30_000;
const OPENS_AGAIN_MS = 20;
/** Turns of reports: each thread takes memory, so a second one for short reports starts only when one takes long. */
const REPORTS = { short: 2, spreadAfterMs: 50 };

/**
 * Opens an SQLite file and migrates its schema. One connection writes, through the write queue; another one reads.
 * @throws Error when the schema is newer than this code, or another process does not release the file for 30 s.
 */
export async function openSqlite<S>(options: SqliteOptions): Promise<Store<S>> {
  const address = options.vfs === undefined ? options.path : `file:${options.path}?vfs=${options.vfs}`;
  const writer = await openWriter(address, options).catch((error: unknown) => {
    throw translateOpening(error, options.path, OPENS_WITHIN_MS);
  });
  const reader = new SqliteConnection(address, { readOnly: true, now: () => options.clock.now() });
  const threads = createReportThreads({ path: address, url: null, replicaUrl: null }, createReportTurns(REPORTS));
  const log = await WriteAheadLog.open({
    path: options.path,
    state: () => writer.logState(),
    isShared: options.vfs === undefined,
    ...options.log,
  });
  await log.flush();
  const queue = new WriteQueue<S>({
    begin: async () => {
      await log.beforeTransaction();
      return new SqliteTransaction<S>(writer, log);
    },
    hook: options.commitHook ?? null,
    longestMs: LONGEST_GROUP_MS,
    translateFault,
  });
  const write: Store<S>['write'] = (name, unit) => queue.write(name, unit, false);
  const sessions = {
    read: new ReadSession<S>(reader, log),
    reports: reportsInTurn((turn) => new ReportSession<S>(reader, log, threads, turn)),
  };
  return {
    kind: 'sqlite',
    ...sessions,
    replica: sessions,
    async scanTexts(scan) {
      const scanned = await threads.scan(scan);
      await log.flushing;
      return scanned;
    },
    write,
    writeAside: write,
    changeCounter: () =>
      queue.committed + Number((writer.first('pragma data_version', []) as { data_version: number }).data_version),
    // Other processes on the same file poll every second.
    reconnects: () => 0,
    notices: { listens: false, fault: null },
    announce: () => {},
    listenTo: () => () => {},
    onRemoteChange: () => () => {},
    async backup(path) {
      const source = new DatabaseSync(address, { readOnly: true });
      await backup(source, path).finally(() => source.close());
    },
    async close() {
      await queue.idle();
      await log.close();
      await threads.close();
      reader.close();
      writer.close();
      await log.closeFiles();
    },
  };
}

/** Opens the connection that writes, and migrates the schema. */
async function openWriter(address: string, { clock, plan }: SqliteOptions): Promise<SqliteConnection> {
  const writer = await connectWriter(address, clock);
  try {
    await runMigrations('sqlite', (work) => inTransaction<StoreSchema, void>(writer, work), plan);
    writer.serve();
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Makes the connection that writes, which gives a new file its write-ahead log. */
async function connectWriter(address: string, clock: Clock): Promise<SqliteConnection> {
  const since = world.monotonic();
  for (;;) {
    try {
      return new SqliteConnection(address, { readOnly: false, now: () => clock.now(), waitsMs: OPENS_WITHIN_MS });
    } catch (error) {
      // While another process writes to a file that has no such log yet, SQLite refuses at once instead of waiting.
      if (!isBusy(error) || world.monotonic() - since >= OPENS_WITHIN_MS) throw error;
      await sleep(OPENS_AGAIN_MS);
    }
  }
}

/** Objects that the units of a transaction share. */
interface SqliteGroup {
  readonly log: WriteAheadLog;
  readonly shared: Map<string, object>;
  readonly lastWrites: LastWrites;
}

class SqliteUnit<S> extends SqliteSession<S> implements Transaction<S> {
  readonly afterCommit: Transaction<S>['afterCommit'];
  readonly onFault: Transaction<S>['onFault'];
  /** Whether a statement has changed anything. One that failed in the database has not. */
  hasWritten = false;
  readonly #connection: SqliteConnection;
  readonly #group: SqliteGroup;

  constructor(
    connection: SqliteConnection,
    group: SqliteGroup,
    { afterCommit, onFault }: Pick<Transaction<S>, 'afterCommit' | 'onFault'>,
  ) {
    super(connection);
    this.#connection = connection;
    this.#group = group;
    this.afterCommit = afterCommit;
    this.onFault = onFault;
  }

  override async all<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R[]> {
    const { sql: text, bind } = compiled(this.builder, query);
    const rows = this.#connection.all(text, bind(values)) as R[];
    if (rows.length > 0 && !isSelect(text)) this.hasWritten = true;
    return rows;
  }

  override async first<R>(query: Prepared<object, R> | Compilable<R>, values?: object): Promise<R | undefined> {
    const { sql: text, bind } = compiled(this.builder, query);
    const row = this.#connection.first(text, bind(values)) as R | undefined;
    if (row !== undefined && !isSelect(text)) this.hasWritten = true;
    return row;
  }

  override async run(query: Prepared<object, unknown> | Compilable<unknown>, values?: object): Promise<number> {
    const { sql: text, bind } = compiled(this.builder, query);
    const changes = this.#connection.run(text, bind(values));
    if (changes > 0) this.hasWritten = true;
    return changes;
  }

  /** Does nothing but publish the lock: units run one after the other, since there is one writer. */
  async lock(name: string): Promise<void> {
    publishLock({ unit: this, name, afterWrite: false });
  }

  async tryLock(name: string): Promise<boolean> {
    publishLock({ unit: this, name, afterWrite: false });
    return true;
  }

  mayWait(): boolean {
    return true;
  }

  once<T extends object>(name: string, make: () => T): T {
    return makeOnce(this.#group.shared, name, make);
  }

  async firstShared<A extends object, R>(query: Shared<A, R>, values: A): Promise<R | undefined> {
    return await this.first(query.one, values);
  }

  beforeCommit(name: string, write: (session: Transaction<S>) => void): void {
    this.hasWritten = true;
    this.#group.lastWrites.register(name, () => write(this));
  }

  erases(when: 'soon' | 'later'): void {
    this.afterCommit(() => this.#group.log.empty(when));
  }

  send(query: Prepared<object, unknown>, values: object): void {
    const { sql: text, bind } = compiled(this.builder, query);
    if (this.#connection.run(text, bind(values)) > 0) this.hasWritten = true;
  }
}

class SqliteTransaction<S> implements OpenTransaction<S> {
  readonly #connection: SqliteConnection;
  readonly #log: WriteAheadLog;
  readonly #group: SqliteGroup;

  constructor(connection: SqliteConnection, log: WriteAheadLog) {
    this.#connection = connection;
    this.#log = log;
    this.#group = { log, shared: new Map(), lastWrites: new LastWrites() };
    connection.begin();
  }

  openUnit(afterCommit: Transaction<S>['afterCommit'], onFault: Transaction<S>['onFault']): OpenUnit<S> {
    const session = new SqliteUnit<S>(this.#connection, this.#group, { afterCommit, onFault });
    return { session, hasWritten: () => session.hasWritten, end: () => {} };
  }

  async commit(): Promise<Committed> {
    this.#group.lastWrites.run();
    this.#connection.commit();
    return { flush: this.#log.flush() };
  }

  async rollback(): Promise<void> {
    this.#connection.rollBack();
  }
}

/** Tells whether a statement only reads. Other statements return only rows that they have changed. */
function isSelect(text: string): boolean {
  return text.startsWith('select');
}

export async function inTransaction<S, T>(
  connection: SqliteConnection,
  work: (session: Session<S>) => Promise<T>,
): Promise<T> {
  connection.begin();
  try {
    const value = await work(new SqliteSession<S>(connection));
    connection.commit();
    return value;
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}
