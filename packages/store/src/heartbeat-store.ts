import { DatabaseSync } from 'node:sqlite';
import type { Client } from 'pg';
import { LEAVE_NOTHING } from './leave-nothing.ts';

/** The row of a process, as its heartbeats write it. */
export interface ProcessRecord {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly lockPath: string;
}

/** Another process that is registered and has not ended. */
export interface PeerRecord {
  readonly id: string;
  readonly host: string;
  readonly machine: string;
  readonly lock_path: string;
  readonly beats: number;
  /** Milliseconds since the last heartbeat, by the database's clock. */
  readonly beat_age_ms: number;
}

/** Writes heartbeats over a separate connection. */
interface HeartbeatStore {
  /**
   * Confirms that this process is alive.
   * @param facts JSON that the other processes can read
   * @returns the other processes. @throws the database's error; the next heartbeat reconnects.
   */
  beat(facts: string | null): Promise<PeerRecord[]>;
  close(): Promise<void>;
}

export interface HeartbeatDatabase {
  /** `postgres://…`; null = the embedded database. */
  readonly url: string | null;
  /** The file of the embedded database. */
  readonly path: string;
}

const BUSY_TIMEOUT_MS = 1_000;
/** Rows of ended processes are kept for a day, to help investigations. */
const KEPT_MS = 24 * 3_600_000;

export function openHeartbeatStore(database: HeartbeatDatabase, own: ProcessRecord): HeartbeatStore {
  return database.url === null ? openSqliteStore(database.path, own) : openPostgresStore(database.url, own);
}

/** Returns the statements. @param parameter returns the placeholder of the n-th parameter. */
function statements(parameter: (index: number) => string, now: string) {
  const [id, role, host, machine, pid, version, lockPath, facts] = [1, 2, 3, 4, 5, 6, 7, 8].map(parameter);
  return {
    beat: `insert into processes (id, role, host, machine, pid, version, lock_path, started_at, beat_at, beats, ended_at, facts)
      values (${id}, ${role}, ${host}, ${machine}, ${pid}, ${version}, ${lockPath}, ${now}, ${now}, 1, null, ${facts})
      on conflict (id) do update set beat_at = excluded.beat_at, beats = processes.beats + 1, lock_path = excluded.lock_path,
        ended_at = null, facts = excluded.facts`,
    peers: `select id, host, machine, lock_path, beats, ${now} - beat_at as beat_age_ms from processes where id <> ${id} and ended_at is null`,
    forget: `delete from processes where ended_at < ${now} - ${KEPT_MS}`,
  };
}

function valuesOf({ id, role, host, machine, pid, version, lockPath }: ProcessRecord, facts: string | null) {
  return [id, role, host, machine, pid, version, lockPath, facts];
}

function openSqliteStore(path: string, own: ProcessRecord): HeartbeatStore {
  let connection: DatabaseSync | null = null;
  const now = `cast(unixepoch('subsec') * 1000 as integer)`;
  const sql = statements((index) => `?${index}`, now);
  const connect = () => {
    const opened = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Losing a heartbeat in a power failure does no harm: it needs no flush to disk and no checkpoint.
    opened.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -128');
    opened.exec(LEAVE_NOTHING);
    return opened;
  };
  return {
    async beat(facts) {
      connection ??= connect();
      connection.prepare(sql.beat).run(...valuesOf(own, facts));
      connection.prepare(sql.forget).run();
      return connection.prepare(sql.peers).all(own.id) as unknown as PeerRecord[];
    },
    async close() {
      connection?.close();
      connection = null;
    },
  };
}

function openPostgresStore(url: string, own: ProcessRecord): HeartbeatStore {
  let client: Client | null = null;
  const sql = statements((index) => `$${index}`, `cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`);
  return {
    async beat(facts) {
      // Imported only here: the thread does not need it for the embedded database.
      const { connect, endConnection } = await import('./postgres-connection.ts');
      try {
        client ??= await connect(url, 'heartbeat', 0);
        await client.query(sql.beat, valuesOf(own, facts));
        await client.query(sql.forget);
        const { rows } = await client.query(sql.peers, [own.id]);
        return rows as PeerRecord[];
      } catch (error) {
        const broken = client;
        client = null;
        // Not awaited: the connection may be dead.
        if (broken !== null) void endConnection(broken);
        throw error;
      }
    },
    async close() {
      const open = client;
      client = null;
      if (open !== null) await (await import('./postgres-connection.ts')).endConnection(open);
    },
  };
}
