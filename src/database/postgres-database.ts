import type { Clock } from '@darkroom-service/contract/clock';
import { Pool } from 'pg';
import { COMMITS, type CommitHook, type Database } from './database.ts';
import { openNatsNotices } from './nats-notices.ts';
import { Notices } from './notices.ts';
import { poolConfig } from './postgres-connection.ts';
import { isRepeatable, translateFault } from './postgres-faults.ts';
import { openPostgresNotices } from './postgres-notices.ts';
import { readFrom } from './postgres-read.ts';
import { PostgresReplica } from './postgres-replica.ts';
import { prepareServer } from './postgres-server.ts';
import { nowExpression, PostgresSession } from './postgres-session.ts';
import { sendAs } from './postgres-traits.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { createReportThread } from './thread-reports.ts';
import { WriteQueue } from './write-queue.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`, with the parameters that `pg` supports. */
  readonly url: string;
  /** The URL for listening to other processes, if `url` leads to a pooler of transactions; null = none. */
  readonly listenUrl?: string | null;
  /** A NATS server that carries notices instead of the database; null = there is none. */
  readonly noticesUrl?: string | null;
  /** A standby of the server that may answer lists and reports; null = there is none. */
  readonly replicaUrl?: string | null;
  /** The database's clock, so that tests can move leases. Default: the server's clock. */
  readonly clock?: Clock;
  readonly commitHook?: CommitHook;
  /** Statements that create the tables of each addition. */
  readonly added?: readonly string[];
  /** Called with errors that no caller waits for. */
  readonly onFault?: (error: unknown, what: string) => void;
  /** Whether to receive other processes' notifications; a command that does one thing and exits need not. */
  readonly listen?: boolean;
  /** How long a write waits for a restarting server before it fails. */
  readonly patienceMs?: number;
}

const READERS = 8;
/** Concurrent reports per process. */
const REPORTERS = 2;
const IDLE_READER_MS = 60_000;
const PATIENCE_MS = 5_000;

/**
 * Opens a PostgreSQL database and migrates its schema. One connection writes, through the write queue; one writes
 * aside, once it is needed; a pool reads; one more connection listens to other processes. Behind a pooler of
 * transactions nothing is prepared that does not stay, limits are set by each transaction, and changes by other
 * processes are found by polling.
 * @throws Error when the server cannot be reached, is too old or does not use UTF-8, or when the schema is newer than
 * this code.
 */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, onFault = () => {} } = options;
  const now = nowExpression(options.clock ?? null);
  const traits = await prepareServer(url, options.added ?? []);
  const pool = new Pool({ ...poolConfig(url, 'read'), max: READERS, idleTimeoutMillis: IDLE_READER_MS });
  pool.on('error', (error) => onFault(error, 'idle database connection lost'));
  const reportPool = new Pool({
    ...poolConfig(url, 'report'),
    max: REPORTERS,
    idleTimeoutMillis: IDLE_READER_MS,
  });
  reportPool.on('error', (error) => onFault(error, 'idle report connection lost'));
  const replica = new PostgresReplica({ url: options.replicaUrl ?? null, onFault });
  const listenUrl = options.listenUrl ?? (traits.keepsSettings ? url : null);
  const thread = createReportThread({ path: '', url, replicaUrl: options.replicaUrl ?? null });
  const writing = { now, patienceMs: options.patienceMs ?? PATIENCE_MS, traits };
  const writer = new PostgresWriter(url, writing);
  const asideWriter = new PostgresWriter(url, { ...writing, flushes: false });
  const send = sendAs(traits, (statement) => readFrom(pool, statement));
  const read = new PostgresSession(send, now);
  const notices = await Notices.open(async (events) => {
    if (options.noticesUrl != null && options.listen !== false) {
      const installation = async () => (await read.first(read.builder.selectFrom('installation').select('id')))?.id;
      return openNatsNotices({ url: options.noticesUrl, installation }, events);
    }
    const listensAt = options.listen === false ? null : listenUrl;
    return await openPostgresNotices({ url: listensAt, send: (text, values) => pool.query(text, values) }, events);
  }, onFault);
  const sendReport = sendAs(traits, (statement) => readFrom(reportPool, statement));
  const writes = { hook: options.commitHook ?? null, isRepeatable, together: true };
  const queue = new WriteQueue({ begin: () => writer.begin(), ...writes });
  const aside = new WriteQueue({ begin: () => asideWriter.begin(), ...writes });
  let commits = 0;
  let isClosed = false;
  return {
    kind: 'postgres',
    read,
    reports: new PostgresSession(sendReport, now),
    replica: {
      read: new PostgresSession(replica.sendOr(send), now),
      reports: new PostgresSession(replica.sendOr(sendReport), now),
    },
    scanTexts: (scan) => thread.scan(scan),
    async write(name, unit, options) {
      try {
        const value = await queue.write(name, unit, options?.together === true);
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
      await thread.close();
      await Promise.all([pool.end(), reportPool.end(), replica.close()]);
    },
  };
}
