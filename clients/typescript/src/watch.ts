import type { OrderFacts } from './errors.ts';
import type { Task } from './generated/interface.ts';
import { linkSignal } from './pause.ts';
import { chunksOf, readServerEvents } from './server-events.ts';
import type { Transport } from './transport.ts';

/** The first event comes at once. Without it, something in between holds the stream back. */
const FIRST_EVENT_MS = 10_000;
/** The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 40_000;
/** A stream that ended this often before what it tells of did is not opened again. */
const MAX_STREAMS = 4;

export interface WaitOptions<One = Task> {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait in total, in milliseconds. By default as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** Called now and after every change. */
  readonly onUpdate?: ((latest: One) => void) | undefined;
}

/** A resource that changes until it is final: a task or a batch. */
export interface Watched<One> {
  /** The path of the event stream. */
  readonly path: string;
  /** The name of its server-sent events. */
  readonly eventName: string;
  isNewer(found: One, latest: One): boolean;
  isFinal(one: One): boolean;
  /** Returns the facts for an error about the watched task or batch. */
  facts(latest: One | null): OrderFacts;
  /**
   * Retrieves the task or batch.
   * @param waits whether the answer should wait for a change, because no stream tells of one
   */
  poll(call: WatchCall, waits: boolean): Promise<One>;
}

export interface WatchCall {
  readonly signal: AbortSignal | undefined;
  readonly facts: OrderFacts;
}

/**
 * Yields a task or batch now and after every change, until it is final. Reads events, and polls where the stream is cut
 * or held back.
 */
export async function* watch<One>(
  transport: Transport,
  watched: Watched<One>,
  signal: AbortSignal | undefined,
): AsyncGenerator<One> {
  let latest: One | null = null;
  const now = () => ({ signal, facts: watched.facts(latest) });
  for (let streams = 0; latest === null || !watched.isFinal(latest); streams++) {
    if (streams < MAX_STREAMS) {
      for await (const found of stream(transport, watched, now())) {
        if (latest !== null && !watched.isNewer(found, latest)) continue;
        latest = found;
        yield found;
      }
      if (latest !== null && watched.isFinal(latest)) return;
    }
    const found = await watched.poll(now(), streams >= MAX_STREAMS);
    if (latest !== null && !watched.isNewer(found, latest)) continue;
    latest = found;
    yield found;
  }
}

/** Waits until it is final, however it ends. @param timeoutError what is thrown after `timeoutMs` */
export async function waitForEnd<One>(
  transport: Transport,
  watched: Watched<One>,
  { signal, timeoutMs, onUpdate }: WaitOptions<One>,
  timeoutError: (seconds: number, latest: One | null) => Error,
): Promise<One> {
  let latest: One | null = null;
  const link = linkSignal(signal);
  if (timeoutMs !== undefined) link.limit(timeoutMs, () => timeoutError(timeoutMs / 1000, latest));
  try {
    for await (const found of watch(transport, watched, link.signal)) {
      latest = found;
      onUpdate?.(found);
      if (watched.isFinal(found)) return found;
    }
    throw new Error(`the events of ${watched.path} ended before it was final`);
  } finally {
    link.release();
  }
}

/**
 * Ends without an error when the stream cannot be opened or breaks off; a poll then shows whether there is more to it.
 */
async function* stream<One>(
  transport: Transport,
  { path, eventName }: Watched<One>,
  { signal, facts }: WatchCall,
): AsyncGenerator<One> {
  const opened = await transport
    .open({
      path,
      headers: { accept: 'text/event-stream' },
      retries: 0,
      responseTimeoutMs: FIRST_EVENT_MS,
      signal,
      facts,
    })
    .catch((error: unknown) => {
      if (signal?.aborted === true) throw error;
      return null;
    });
  if (opened === null) return;
  const { response, link } = opened;
  link.limit(FIRST_EVENT_MS);
  try {
    for await (const { name, data } of readServerEvents(chunksOf(response.body))) {
      link.limit(SILENCE_MS);
      if (name === eventName && data !== null) yield JSON.parse(data) as One;
    }
  } catch {
    // Broken off: the caller polls. After an abort, so does the poll, which throws the right error.
  } finally {
    link.abort();
    link.release();
  }
}
