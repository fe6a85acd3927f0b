import { world } from '@darkroom-service/contract';
import { type Client, DatabaseError } from 'pg';
import { KeptConnection, type NoticeConnection } from './kept-connection.ts';
import { type CarrierEvents, digestOfChannel, type Notice, type NoticeCarrier } from './notices.ts';
import { connect, endConnection } from './postgres-connection.ts';
import { examineServer } from './postgres-traits.ts';

const HEARTBEAT_MS = 30_000;
/** feature_not_supported, syntax_error: servers of the protocol without LISTEN. */
const NOT_SUPPORTED = new Set(['0A000', '42601']);
/** Maximum number of channels: the server compares each notice with every channel of a connection in turn. */
const MOST_CHANNELS = 4_096;
/**
 * Statement that sends a notice in its own transaction: in that of a write, it would hold a lock of the whole server
 * while the commit is flushed. No flush is needed, since a lost notice only costs time.
 */
const NOTIFY = `select pg_notify(channel, text) from
  (select set_config('synchronous_commit', 'off', true)) as unflushed,
  unnest(cast($1 as text[]), cast($2 as text[])) as notices (channel, text)`;

interface CarrierOptions {
  /** The address on which to receive other processes' notices; null = none are received. */
  readonly url: string | null;
  /** Sends a statement over any connection. */
  readonly send: (text: string, values: unknown[]) => Promise<unknown>;
}

/** Carries notices by LISTEN and NOTIFY. */
export async function openPostgresNotices(options: CarrierOptions, events: CarrierEvents): Promise<NoticeCarrier> {
  const send = async (notices: readonly Notice[]) => {
    await options.send(NOTIFY, [notices.map(({ channel }) => nameOf(channel)), notices.map(({ text }) => text)]);
  };
  const { url } = options;
  const deaf = { listens: false, mostChannels: 0, fault: null, send, listen: async () => {}, close: async () => {} };
  if (url === null) return { ...deaf, sends: true };
  try {
    const open = () => openConnection(url, events.onNotice);
    const kept = new KeptConnection(open, events, await open());
    return {
      sends: true,
      listens: true,
      mostChannels: MOST_CHANNELS,
      get fault() {
        return kept.fault;
      },
      send,
      listen: (added, removed) => kept.listen(added, removed),
      close: () => kept.close(),
    };
  } catch (error) {
    if (!refusesToListen(error)) throw error;
    events.onFault(error, 'the database sends no notifications; changes by other processes are found within a second');
    return { ...deaf, sends: false };
  }
}

async function openConnection(url: string, onNotice: (text: string) => void): Promise<NoticeConnection> {
  const client = await openListener(url);
  client.on('notification', ({ payload }) => onNotice(payload ?? ''));
  const { promise: lost, reject } = Promise.withResolvers<never>();
  // Awaited by its user; a rejection before that must not count as unhandled.
  lost.catch(() => {});
  client.once('error', reject);
  client.once('end', () => reject(new Error('the connection was closed')));
  const heartbeat = world.setInterval(() => client.query('select 1').catch(reject), HEARTBEAT_MS).unref();
  return {
    lost,
    async listen(added, removed) {
      const statements = [
        ...added.map((channel) => `listen ${nameOf(channel)}`),
        ...removed.map((channel) => `unlisten ${nameOf(channel)}`),
      ];
      await client.query(statements.join('; '));
    },
    async close() {
      world.clearInterval(heartbeat);
      await endConnection(client);
    },
  };
}

/** Returns a channel's name at the server, where names are identifiers of at most 63 bytes. */
function nameOf(channel: string): string {
  return `darkroom_${digestOfChannel(channel)}`;
}

async function openListener(url: string): Promise<Client> {
  const client = await connect(url, 'listen', 0);
  try {
    await client.query('listen darkroom_changes');
    return client;
  } catch (error) {
    await endConnection(client);
    throw error;
  }
}

function refusesToListen(error: unknown): boolean {
  return error instanceof DatabaseError && NOT_SUPPORTED.has(error.code ?? '');
}

/**
 * Tells whether a server lets its clients listen. A transaction pooler accepts `listen` and delivers nothing.
 * @throws the driver's error when it cannot be reached
 */
export async function letsListen(url: string): Promise<boolean> {
  if (!(await examineServer(url, 0)).keepsSettings) return false;
  try {
    await endConnection(await openListener(url));
    return true;
  } catch (error) {
    if (refusesToListen(error)) return false;
    throw error;
  }
}
