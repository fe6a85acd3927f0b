import { sleep, world } from '@darkroom-service/contract';
import { Client, type ClientConfig, DatabaseError, type PoolConfig, types } from 'pg';
import { isConnectionLoss } from './postgres-faults.ts';
import { parseHosts } from './postgres-hosts.ts';
import { ServerListClient } from './server-list-client.ts';

/** The purpose of a connection determines its statement timeout. */
export type ConnectionUse = 'read' | 'report' | 'write' | 'listen' | 'migrate' | 'heartbeat';

const CONNECT_TIMEOUT_MS = 5_000;
/** Milliseconds per statement. The server ends a statement first; the client's timeout is for dead connections. */
const STATEMENT_TIMEOUT_MS = 20_000;
const QUERY_TIMEOUT_MS = 25_000;
/**
 * Milliseconds for which a process that hangs within a transaction can block others; those that wait for a lock wait a
 * little longer.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;
const LOCK_TIMEOUT_MS = 12_000;
/** Milliseconds after which a heartbeat has failed, because the next one is due. */
const HEARTBEAT_TIMEOUT_MS = 4_000;
/** Timeouts that the server itself enforces, so that nothing outlives a client that is gone. */
export const SERVER_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

/** Addresses where a pooler refuses these limits at the start of a connection. */
const refusing = new Set<string>();

const INT8 = 20;
const NUMERIC = 1700;

/** Returns the settings of a pool of connections. On these connections, integers and sums arrive as numbers. */
export function poolConfig(url: string, use: ConnectionUse): PoolConfig {
  const config = connectionConfig(url, use);
  if (!isList(url)) return config;
  const OfList = class extends ServerListClient {
    constructor() {
      super(url, config);
    }
  };
  return { ...config, Client: OfList };
}

function createClient(url: string, use: ConnectionUse): Client {
  const config = connectionConfig(url, use);
  return isList(url) ? new ServerListClient(url, config) : new Client(config);
}

/** Tells whether a URL names several servers, so that the right one has to be found. */
function isList(url: string): boolean {
  return (parseHosts(url)?.target ?? null) !== null;
}

function connectionConfig(url: string, use: ConnectionUse): ClientConfig {
  const timeout =
    use === 'migrate' ? {} : { query_timeout: use === 'heartbeat' ? HEARTBEAT_TIMEOUT_MS : QUERY_TIMEOUT_MS };
  const limits = use === 'migrate' || refusing.has(url) ? {} : SERVER_LIMITS;
  return {
    connectionString: parseHosts(url)?.urls[0] ?? url,
    application_name: `darkroom ${use}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
    // Statements that do not depend on each other's results share a round trip.
    pipeline: use === 'write',
    ...timeout,
    ...limits,
  };
}

/** Opens a connection, with retries for `patienceMs` if nobody answers. @throws the error of the last attempt. */
export async function connect(url: string, use: ConnectionUse, patienceMs: number): Promise<Client> {
  const end = world.monotonic() + patienceMs;
  for (let pauseMs = 50; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
    const client = createClient(url, use);
    // Without a listener, losing an idle connection would end the process; the next query reports the loss.
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch (error) {
      await endConnection(client);
      if (isRefusedParameter(error) && !refusing.has(url)) {
        refusing.add(url);
        continue;
      }
      const isNobody = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
      if (isNobody || !isConnectionLoss(error) || world.monotonic() + pauseMs >= end) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Tells whether an address says itself that it leads to a pooler of transactions. */
export function isDeclaredPooled(url: string): boolean {
  return URL.parse(parseHosts(url)?.urls[0] ?? url)?.searchParams.get('pgbouncer') === 'true';
}

/** Tells whether a pooler refused a parameter: PgBouncer knows only a few, unless it is configured to ignore others. */
function isRefusedParameter(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '08P01' && error.message.includes('startup parameter');
}

/** Closes a connection, including a broken one. */
export async function endConnection(client: Client): Promise<void> {
  await client.end().catch(() => {});
}

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return toNumber;
  return types.getTypeParser(oid, format as 'text');
}

function toNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`the database holds ${text}, more than can be counted exactly`);
  }
  return value;
}
