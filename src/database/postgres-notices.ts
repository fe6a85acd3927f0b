import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import { connect, endConnection } from './postgres-connection.ts';

const CHANNEL = 'darkroom_changes';
/** Committing a notice locks the whole server, so one is sent per this time: the first at once, the others together. */
const GATHER_MS = 20;
/** PostgreSQL accepts 8,000 bytes. */
const PAYLOAD_BYTES = 7_500;
const HEARTBEAT_MS = 30_000;
/** feature_not_supported, syntax_error: servers of the protocol without LISTEN. */
const NOT_SUPPORTED = new Set(['0A000', '42601']);
const PAUSES_MS = [100, 500, 1_000, 2_000, 5_000];

interface NoticesOptions {
  /** Where to receive other processes' notifications; null = nowhere. */
  readonly url: string | null;
  /** Sends payloads over any connection. */
  readonly send: (text: string, values: unknown[]) => Promise<unknown>;
  readonly onFault: (error: unknown, what: string) => void;
}

/** Notifies other processes of commits made here, and receives their notifications. Losing one only costs time. */
export class PostgresNotices {
  readonly #options: NoticesOptions;
  readonly #listens: boolean;
  /** False where no process can receive anything. */
  readonly #sends: boolean;
  readonly #self = randomUUID().slice(0, 8);
  readonly #listeners = new Set<(topics: readonly string[]) => void>();
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;
  #gathered: Set<string> | null = null;
  #sending: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #flushedAt = Number.NEGATIVE_INFINITY;
  #heard = 0;

  private constructor(options: NoticesOptions, first: Client | null, { sends }: { readonly sends: boolean }) {
    this.#options = options;
    this.#sends = sends;
    this.#listens = first !== null;
    this.#listening = first === null || options.url === null ? Promise.resolve() : this.#listen(first, options.url);
  }

  /** Receives notifications from the moment it resolves. */
  static async open(options: NoticesOptions): Promise<PostgresNotices> {
    try {
      return new PostgresNotices(options, options.url === null ? null : await openListener(options.url), {
        sends: true,
      });
    } catch (error) {
      if (!refusesToListen(error)) throw error;
      options.onFault(
        error,
        'the database sends no notifications; changes by other processes are found within a second',
      );
      return new PostgresNotices(options, null, { sends: false });
    }
  }

  /** Counts notifications that arrived or may have been missed. */
  get heard(): number {
    if (!this.#listens) this.#heard++;
    return this.#heard;
  }

  announce(topics: readonly string[]): void {
    if (!this.#sends) return;
    this.#gathered ??= new Set();
    for (const topic of topics) this.#gathered.add(topic);
    const sinceLast = performance.now() - this.#flushedAt;
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(0, GATHER_MS - sinceLast));
  }

  onRemoteChange(listener: (topics: readonly string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
    if (this.#timer !== null) this.#flush();
    await this.#sending;
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gathered === null) return;
    this.#flushedAt = performance.now();
    const payloads = payloadsOf(this.#self, this.#gathered);
    this.#gathered = null;
    this.#sending = this.#sending.then(async () => {
      try {
        await this.#options.send(`select pg_notify('${CHANNEL}', payload) from unnest(cast($1 as text[])) as payload`, [
          payloads,
        ]);
      } catch (error) {
        this.#options.onFault(error, 'could not notify other processes of a change; they find it within a second');
      }
    });
  }

  async #listen(first: Client, url: string): Promise<void> {
    const { signal } = this.#closing;
    let client: Client | null = first;
    for (let failures = 0; !signal.aborted; ) {
      try {
        client ??= await openListener(url);
        failures = 0;
        await this.#hear(client, signal);
      } catch (error) {
        if (!signal.aborted && failures === 0)
          this.#options.onFault(error, 'notification connection lost; reconnecting');
        const pauseMs = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)];
        await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {});
      } finally {
        if (client !== null) await endConnection(client);
        client = null;
        // Notifications sent in the meantime were missed.
        this.#heard++;
      }
    }
  }

  /** Rejects when the connection is lost, resolves when the signal is aborted. */
  async #hear(client: Client, signal: AbortSignal): Promise<void> {
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    const lost = new Promise<never>((_, reject) => {
      client.once('error', reject);
      client.once('end', () => reject(new Error('the connection was closed')));
    });
    // Raced below; a rejection before that must not count as unhandled.
    lost.catch(() => {});
    while (!signal.aborted) {
      const pause = delay(HEARTBEAT_MS, undefined, { signal, ref: false }).catch(() => {});
      await Promise.race([lost, pause]);
      if (!signal.aborted) await client.query('select 1');
    }
  }

  #receive(payload: string): void {
    const [sender, ...topics] = payload.split(' ');
    if (sender === this.#self) return;
    this.#heard++;
    for (const listener of [...this.#listeners]) listener(topics);
  }
}

async function openListener(url: string): Promise<Client> {
  const client = await connect(url, 'listen', 0);
  try {
    await client.query(`listen ${CHANNEL}`);
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

function payloadsOf(self: string, topics: ReadonlySet<string>): string[] {
  const payloads: string[] = [];
  let payload = self;
  for (const topic of topics) {
    if (payload.length + 1 + topic.length > PAYLOAD_BYTES) {
      payloads.push(payload);
      payload = self;
    }
    payload += ` ${topic}`;
  }
  return [...payloads, payload];
}
