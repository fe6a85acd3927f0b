import { type Client, DatabaseError } from 'pg';
import { connect, endConnection, isDeclaredPooled, SERVER_LIMITS } from './postgres-connection.ts';
import type { Send } from './postgres-session.ts';

/**
 * The features that a server keeps for a connection. A pooler in front of it may give each transaction another
 * connection.
 */
export interface ServerTraits {
  /** Whether the settings of a connection stay in force. If not, LISTEN hears nothing either. */
  readonly keepsSettings: boolean;
  /** Whether a statement stays prepared. */
  readonly prepares: boolean;
}

const POOLED: ServerTraits = { keepsSettings: false, prepares: false };
const DUPLICATE_STATEMENT = '42P05';
const PROBE = 'darkroom_probe';
const PROBE_TEXT = `
  select name, (select setting from pg_settings where name = 'statement_timeout') as statement_timeout
  from pg_prepared_statements where statement like '%${PROBE}%'`;

/**
 * Finds out what the connections of an address keep. A transaction pooler shows by what it changes: the settings of a
 * connection are not in force, and a pooler that keeps statements for many clients renames them.
 * @throws the driver's error when the server cannot be reached
 */
export async function examineServer(url: string, patienceMs: number): Promise<ServerTraits> {
  const client = await connect(url, 'read', patienceMs);
  try {
    const [row] = await probe(client);
    if (row === undefined) return POOLED;
    const keepsSettings = !isDeclaredPooled(url) && row.statement_timeout === String(SERVER_LIMITS.statement_timeout);
    return { keepsSettings, prepares: keepsSettings || row.name !== PROBE };
  } catch (error) {
    // Another client's statement is here: connections are shared.
    if (error instanceof DatabaseError && error.code === DUPLICATE_STATEMENT) return POOLED;
    throw error;
  } finally {
    await endConnection(client);
  }
}

/** Sends a statement without its name to a server that keeps none. */
export function sendAs({ prepares }: Pick<ServerTraits, 'prepares'>, send: Send): Send {
  if (prepares) return send;
  return ({ text, values }) => send({ text, values });
}

/** Examines one connection. Its statement goes in the same transaction: the next may be on another connection. */
async function probe(client: Client): Promise<{ readonly name: string; readonly statement_timeout: string }[]> {
  await client.query('begin');
  try {
    const { rows } = await client.query({ name: PROBE, text: PROBE_TEXT });
    if (rows[0]?.name === PROBE) await client.query(`deallocate ${PROBE}`);
    return rows;
  } finally {
    await client.query('rollback');
  }
}
