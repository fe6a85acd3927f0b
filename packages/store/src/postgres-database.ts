import type { Clock } from '@darkroom-service/contract';
import { Pool } from 'pg';
import type { SchemaPlan } from './migrate.ts';
import { type CarrierEvents, type NoticeCarrier, Notices } from './notices.ts';
import { poolConfig } from './postgres-connection.ts';
import { isRepeatable, translateFault } from './postgres-faults.ts';
import { openPostgresNotices } from './postgres-notices.ts';
import { readFrom } from './postgres-read.ts';
import { PostgresReplica } from './postgres-replica.ts';
import { prepareServer } from './postgres-server.ts';
import { nowExpression, PostgresSession, type Send } from './postgres-session.ts';
import { examineServer, sendAs } from './postgres-traits.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { createReportTurns, reportsInTurn } from './report-turns.ts';
import { COMMITS, type CommitHook, type Session, type Store } from './store.ts';
import { createReportThreads } from './thread-reports.ts';
import { WriteQueue } from './write-queue.ts';

/** The address of a PostgreSQL database, and its schema. */
export interface PostgresOptions<S> {
  /** `postgres://user:password@host:5432/database`, with the parameters that `pg` supports. */
  readonly url: string;
  /** The address on which to listen to other processes, if `url` leads to a transaction pooler. */
  readonly listenUrl?: string | null | undefined;
  /** Opens a carrier that replaces PostgreSQL for notices. */
  readonly openNoticeTransport?: OpenCarrier<S> | null | undefined;
  /** A standby of the server that may answer lists and reports. */
  readonly replicaUrl?: string | null | undefined;
  /** Clock for tests that move leases. Default: the database's own. */
  readonly clock?: Clock | undefined;
  readonly commitHook?: CommitHook | undefined;
  /** Function called with errors that no caller waits for. */
  readonly onFault?: ((error: unknown, what: string) => void) | undefined;
  /** Whether to receive other processes' notifications; a command that does one thing and exits need not. */
  readonly listen?: boolean | undefined;
  /** Milliseconds that a write waits for a restarting server before it fails. */
  readonly patienceMs?: number | undefined;
  readonly plan: SchemaPlan;
}

/** Opens a carrier of notices. @param read reads the database whose processes it connects */
export type OpenCarrier<S> = (events: CarrierEvents, read: Session<S>) => Promise<NoticeCarrier>;

const READERS = 8;
/** Number of short reports that a process runs at once, in addition to one long report. */
const SHORT_REPORTS = 2;
const IDLE_READER_MS = 60_000;
const PATIENCE_MS = 5_000;

/** Throws if the address delivers no notices. A server that is away is asked again while the service runs. */
async function refusePooledListener(listenUrl: string): Promise<void> {
  const traits = await examineServer(listenUrl, 0).catch(() => null);
  if (traits === null || traits.keepsSettings) return;
  throw new Error(
    'DARKROOM_DATABASE_LISTEN_URL leads through a transaction pooler, which delivers no notices. Name the server itself, or unset it: changes by other processes are then found within a second.',
  );
}

/**
 * Opens a PostgreSQL database and migrates its schema. One connection writes, through the write queue; another serves
 * `writeAside`, once it is needed; a pool reads; one more connection listens to other processes. Behind a transaction
 * pooler, statements that would not stay prepared are not prepared, each transaction sets its own limits, and changes
 * by other processes are found by polling.
 * @throws Error when the server cannot be reached, is too old or does not use UTF-8, or when the schema is newer than
 * this code.
 */
export async function openPostgres<S>(options: PostgresOptions<S>): Promise<Store<S>> {
  const { url, onFault = () => {} } = options;
  const now = nowExpression(options.clock ?? null);
  const traits = await prepareServer(url, options.plan);
  if (options.listen !== false && options.listenUrl != null) await refusePooledListener(options.listenUrl);
  const pool = new Pool({ ...poolConfig(url, 'read'), max: READERS, idleTimeoutMillis: IDLE_READER_MS });
  pool.on('error', (error) => onFault(error, 'idle database connection lost'));
  const turns = createReportTurns({ short: SHORT_REPORTS, spreadAfterMs: 0 });
  const reportPool = new Pool({
    ...poolConfig(url, 'report'),
    max: turns.places,
    idleTimeoutMillis: IDLE_READER_MS,
  });
  reportPool.on('error', (error) => onFault(error, 'idle report connection lost'));
  const replica = new PostgresReplica({ url: options.replicaUrl ?? null, onFault });
  const listenUrl = options.listenUrl ?? (traits.keepsSettings ? url : null);
  const threads = createReportThreads(
    { path: '', url, replicaUrl: options.replicaUrl ?? null },
    createReportTurns({ short: 1, spreadAfterMs: 0 }),
  );
  const writing = { now, patienceMs: options.patienceMs ?? PATIENCE_MS, traits };
  const writer = new PostgresWriter<S>(url, writing);
  const asideWriter = new PostgresWriter<S>(url, { ...writing, flushes: false });
  const send = sendAs(traits, (statement) => readFrom(pool, statement));
  const read = new PostgresSession<S>(send, now);
  const notices = await Notices.open(async (events) => {
    if (options.openNoticeTransport != null && options.listen !== false)
      return await options.openNoticeTransport(events, read);
    const listensAt = options.listen === false ? null : listenUrl;
    return await openPostgresNotices({ url: listensAt, send: (text, values) => pool.query(text, values) }, events);
  }, onFault);
  const sendReport = sendAs(traits, (statement) => readFrom(reportPool, statement));
  const reportsBy = (send: Send) =>
    reportsInTurn((turn) => new PostgresSession<S>((statement) => turns.run(turn, () => send(statement)), now));
  const writes = { hook: options.commitHook ?? null, isRepeatable, together: true };
  const queue = new WriteQueue<S>({ begin: () => writer.begin(), ...writes });
  const aside = new WriteQueue<S>({ begin: () => asideWriter.begin(), ...writes });
  let commits = 0;
  let isClosed = false;
  return {
    kind: 'postgres',
    read,
    reports: reportsBy(sendReport),
    replica: {
      read: new PostgresSession(replica.sendOr(send), now),
      reports: reportsBy(replica.sendOr(sendReport)),
    },
    scanTexts: (scan) => threads.scan(scan),
    async write(name, unit, { together } = { together: false }) {
      try {
        const value = await queue.write(name, unit, together);
        commits++;
        notices.announce(COMMITS, ['commit']);
        return value;
      } catch (error) {
        throw translateFault(error);
      }
    },
    async writeAside(name, unit) {
      if (isClosed) throw new Error('the database is closed');
      try {
        return await aside.write(name, unit, false);
      } catch (error) {
        throw translateFault(error);
      }
    },
    changeCounter: () => commits + notices.heard,
    reconnects: () => writer.reconnects,
    notices,
    announce: (channel, topics) => notices.announce(channel, topics),
    listenTo: (channel, onListening) => notices.listenTo(channel, onListening),
    onRemoteChange: (listener) => notices.onRemoteChange(listener),
    async backup() {
      throw new Error(
        'A PostgreSQL database is copied with its own tools: pg_dump --format=custom, beside a copy of the files.',
      );
    },
    async close() {
      isClosed = true;
      await Promise.all([queue.idle(), aside.idle()]);
      await notices.close();
      await Promise.all([writer.close(), asideWriter.close()]);
      await threads.close();
      await Promise.all([pool.end(), reportPool.end(), replica.close()]);
    },
  };
}
