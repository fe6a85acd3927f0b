import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { CarrierEvents, Notice, NoticeCarrier } from './notices.ts';
import { connect, endConnection } from './postgres-connection.ts';

const HEARTBEAT_MS = 30_000;
/** feature_not_supported, syntax_error: servers of the protocol without LISTEN. */
const NOT_SUPPORTED = new Set(['0A000', '42601']);
const PAUSES_MS = [100, 500, 1_000, 2_000, 5_000];
/** The server compares each notice with every channel of a connection, one after the other. */
const MOST_CHANNELS = 4_096;
/**
 * A notice gets a transaction of its own: in that of a write, it would hold a lock of the whole server while the commit
 * is flushed. It needs no flush itself, since losing it only costs time.
 */
const NOTIFY = `select pg_notify(channel, text) from
  (select set_config('synchronous_commit', 'off', true)) as unflushed,
  unnest(cast($1 as text[]), cast($2 as text[])) as notices (channel, text)`;

interface CarrierOptions {
  /** Where to receive other processes' notices; null = nowhere. */
  readonly url: string | null;
  /** Sends a statement over any connection. */
  readonly send: (text: string, values: unknown[]) => Promise<unknown>;
}

/** Carries notices by LISTEN and NOTIFY. */
export async function openPostgresNotices(options: CarrierOptions, events: CarrierEvents): Promise<NoticeCarrier> {
  const send = async (notices: readonly Notice[]) => {
    await options.send(NOTIFY, [notices.map(({ channel }) => nameOf(channel)), notices.map(({ text }) => text)]);
  };
  const deaf = { listens: false, mostChannels: 0, send, listen: async () => {}, close: async () => {} };
  if (options.url === null) return { ...deaf, sends: true };
  try {
    const ear = new Ear(options.url, await openListener(options.url), events);
    return {
      sends: true,
      listens: true,
      mostChannels: MOST_CHANNELS,
      send,
      listen: (added, removed) => ear.listen(added, removed),
      close: () => ear.close(),
    };
  } catch (error) {
    if (!refusesToListen(error)) throw error;
    events.onFault(error, 'the database sends no notifications; changes by other processes are found within a second');
    return { ...deaf, sends: false };
  }
}

/** The connection that listens. It is reopened when lost. */
class Ear {
  readonly #url: string;
  readonly #events: CarrierEvents;
  readonly #closing = new AbortController();
  readonly #done: Promise<void>;
  readonly #channels = new Set<string>();
  /** Null while the connection is lost. */
  #client: Client | null = null;

  constructor(url: string, first: Client, events: CarrierEvents) {
    this.#url = url;
    this.#events = events;
    this.#done = this.#run(first);
  }

  async listen(added: readonly string[], removed: readonly string[]): Promise<void> {
    for (const channel of added) this.#channels.add(nameOf(channel));
    for (const channel of removed) this.#channels.delete(nameOf(channel));
    await this.#client?.query(
      [
        ...added.map((channel) => `listen ${nameOf(channel)}`),
        ...removed.map((channel) => `unlisten ${nameOf(channel)}`),
      ].join('; '),
    );
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(first: Client): Promise<void> {
    const { signal } = this.#closing;
    let client: Client | null = first;
    for (let failures = 0; !signal.aborted; ) {
      try {
        client ??= await openListener(this.#url);
        failures = 0;
        await this.#hear(client, signal);
      } catch (error) {
        if (!signal.aborted && failures === 0)
          this.#events.onFault(error, 'notification connection lost; reconnecting');
        const pauseMs = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)];
        await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      } finally {
        this.#client = null;
        if (client !== null) await endConnection(client);
        client = null;
        this.#events.onGap();
      }
    }
  }

  /** Rejects when the connection is lost, resolves when the signal is aborted. */
  async #hear(client: Client, signal: AbortSignal): Promise<void> {
    client.on('notification', ({ payload }) => this.#events.onNotice(payload ?? ''));
    const lost = new Promise<never>((_, reject) => {
      client.once('error', reject);
      client.once('end', () => reject(new Error('the connection was closed')));
    });
    // Raced below; a rejection before that must not count as unhandled.
    lost.catch(() => {});
    this.#client = client;
    if (this.#channels.size > 0) {
      await client.query([...this.#channels].map((name) => `listen ${name}`).join('; '));
      // What was sent before is missed.
      this.#events.onGap();
    }
    while (!signal.aborted) {
      const pause = delay(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([lost, pause]);
      if (!signal.aborted) await client.query('select 1');
    }
  }
}

/** Names of channels are identifiers of at most 63 bytes. */
function nameOf(channel: string): string {
  return `darkroom_${createHash('sha256').update(channel).digest('hex').slice(0, 32)}`;
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

/** Tells whether a server lets its clients listen. @throws the driver's error when it cannot be reached */
export async function letsListen(url: string): Promise<boolean> {
  try {
    await endConnection(await openListener(url));
    return true;
  } catch (error) {
    if (refusesToListen(error)) return false;
    throw error;
  }
}
