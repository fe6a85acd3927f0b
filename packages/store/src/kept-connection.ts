import { reasonOf, sleep } from '@darkroom-service/contract';
import type { CarrierEvents } from './notices.ts';

/** A connection over which notices arrive. */
export interface NoticeConnection {
  /** Resolves once the connection listens to the channels of `added` and no longer to those of `removed`. */
  listen(added: readonly string[], removed: readonly string[]): Promise<void>;
  /** Rejects once the connection is lost, and with the reason. Never resolves. */
  readonly lost: Promise<never>;
  /** Closes the connection. Never rejects. */
  close(): Promise<void>;
}

const PAUSES_MS = [100, 500, 1_000, 2_000, 5_000];

/** Keeps a connection open, and listens to the same channels after each loss. Each loss is reported once. */
export class KeptConnection<Connection extends NoticeConnection> {
  readonly #open: () => Promise<Connection | null>;
  readonly #events: Pick<CarrierEvents, 'onGap' | 'onFault'>;
  readonly #closing = new AbortController();
  readonly #closed: Promise<void>;
  readonly #done: Promise<void>;
  readonly #channels = new Set<string>();
  #current: Connection | null = null;
  #fault: string | null = null;

  /**
   * Begins with a connection.
   * @param open resolves with null if it is too early to connect
   * @param first the connection to begin with; without it, one is opened
   */
  constructor(
    open: () => Promise<Connection | null>,
    events: Pick<CarrierEvents, 'onGap' | 'onFault'>,
    first: Connection | null = null,
  ) {
    this.#open = open;
    this.#events = events;
    const { signal } = this.#closing;
    this.#closed = new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    this.#done = this.#run(first);
  }

  /** The connection; null while it is lost. */
  get current(): Connection | null {
    return this.#current;
  }

  /** Reason for which there is no connection now, or for which it does not work; null while it works. */
  get fault(): string | null {
    return this.#fault ?? (this.#current === null ? 'not connected yet' : null);
  }

  /** Records a fault that lasts until the next connection. */
  recordFault(error: unknown, what: string): void {
    if (this.#closing.signal.aborted) return;
    if (this.#fault === null) this.#events.onFault(error, what);
    this.#fault = reasonOf(error);
  }

  async listen(added: readonly string[], removed: readonly string[]): Promise<void> {
    for (const channel of added) this.#channels.add(channel);
    for (const channel of removed) this.#channels.delete(channel);
    await this.#current?.listen(added, removed);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#done;
  }

  async #run(first: Connection | null): Promise<void> {
    const { signal } = this.#closing;
    let connection = first;
    for (let failures = 0; !signal.aborted; ) {
      try {
        connection ??= await this.#open();
        if (connection !== null) {
          failures = 0;
          await this.#hold(connection);
        }
      } catch (error) {
        this.recordFault(error, 'notification connection lost; reconnecting');
      }
      this.#current = null;
      await connection?.close();
      connection = null;
      this.#events.onGap();
      const pauseMs = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]!;
      await sleep(pauseMs, { signal, ref: false }).catch(() => {});
    }
  }

  /** Uses a connection. Rejects when it is lost, resolves when this object is closed. */
  async #hold(connection: Connection): Promise<void> {
    this.#current = connection;
    this.#fault = null;
    const listenAgain = async () => {
      await connection.listen([...this.#channels], []);
      // Notices that were sent before are missed.
      this.#events.onGap();
      await connection.lost;
    };
    await Promise.race([this.#channels.size > 0 ? listenAgain() : connection.lost, connection.lost, this.#closed]);
  }
}
