import { Readable } from 'node:stream';
import { ServiceError, sleep, world } from '@darkroom-service/contract';
import type { Owner, ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { RouteTools } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An open stream of events, as the process manages all of them together. */
interface EventStream {
  /** The credential that opened it: streams of one credential end together. */
  readonly credential: string;
  /** Whether the credential still works. */
  readonly check: () => Promise<boolean>;
  /** Called every second or two: sends a heartbeat when one is due. */
  readonly beat: () => void;
  readonly end: () => void;
}

interface EventStreams {
  /** @returns a function that takes it out again. */
  add(stream: EventStream): () => void;
}

/**
 * Interval at which the key of a stream is checked, once for all streams of a credential: a stream may last for hours.
 */
const LOOK_EVERY_MS = 1_500;

export function createEventStreams(): EventStreams {
  const streams = new Set<EventStream>();
  let timer: NodeJS.Timeout | null = null;
  let looking = false;

  async function poll(): Promise<void> {
    for (const stream of streams) stream.beat();
    if (looking) return;
    looking = true;
    const byCredential = Map.groupBy(streams, ({ credential }) => credential);
    for (const ofOne of byCredential.values()) {
      // Without the database, permissions are unknown, but streams send nothing new meanwhile.
      const isGood = (await ofOne[0]?.check().catch(() => true)) ?? true;
      if (!isGood) for (const stream of ofOne) stream.end();
    }
    looking = false;
  }

  return {
    add(stream) {
      streams.add(stream);
      timer ??= world.setInterval(() => void poll(), LOOK_EVERY_MS).unref();
      return () => {
        streams.delete(stream);
        if (streams.size > 0 || timer === null) return;
        world.clearInterval(timer);
        timer = null;
      };
    },
  };
}

const HEARTBEAT_MS = 15_000;
/** Unread bytes from which on a reader counts as not reading. */
const MOST_UNREAD_BYTES = 1_048_576;

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};
/**
 * Comment that every stream sends before anything else, so that its headers are sent at once. Proxies that compress
 * decide by the first bytes: these are too few, so they pass on each event as it comes.
 */
const OPENING = ': open\n\n';
/** Pause before the first event, so that it does not reach a proxy together with the opening. */
const OPENING_MS = 20;

/** Answers with a stream of server-sent events, each as it comes. */
export function sendEvents(reply: FastifyReply, events: AsyncIterable<string | Uint8Array>): FastifyReply {
  async function* opened() {
    yield OPENING;
    yield* events;
  }
  return reply.headers(STREAM_HEADERS).send(Readable.from(opened(), { objectMode: false }));
}

/** An open stream of server-sent events. */
export interface Stream {
  /** @param data must be valid JSON text */
  readonly send: (event: { readonly name: string; readonly id: string | number; readonly data: string }) => void;
  readonly beat: () => void;
  readonly end: () => void;
}

/** Begins a stream of server-sent events. From then on errors cannot be answered. */
function openStream(reply: FastifyReply): Stream {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as Record<string, string>);
  raw.write(OPENING);
  let quietSince = world.monotonic();
  const write = (text: string) => {
    quietSince = world.monotonic();
    if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
    else raw.write(text);
  };
  return {
    send: ({ name, id, data }) => write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`),
    beat() {
      if (world.monotonic() - quietSince >= HEARTBEAT_MS && !raw.writableEnded) write(': still here\n\n');
    },
    end: () => raw.end(),
  };
}

/** Facts about a request that opens a stream of events. */
export interface StreamOrder {
  /** Shares of the streams of the key, or of its end user, that it takes. */
  readonly shares: number;
  /** The owner of the streams, if not the caller. */
  readonly owner?: Owner;
  /** The credential that opened the stream; the stream ends when it no longer works. */
  readonly credential: Pick<EventStream, 'credential' | 'check'>;
  /** The subject of a log line, if the stream fails. */
  readonly subject: Readonly<Record<string, string>>;
  /** Sends events until all are sent or the signal is aborted. */
  readonly follow: (stream: Stream, signal: AbortSignal) => Promise<void>;
}

/**
 * Answers a request with a stream of events, until it ends, its reader leaves, its credential no longer works, or the
 * service stops.
 * @throws ServiceError `rate_limited` if the key or the end user has no stream left
 */
export async function serveStream(
  kernel: Pick<ServingKernel, 'accounts' | 'http' | 'log'>,
  { waits, streams }: Pick<RouteTools, 'waits'> & { readonly streams: EventStreams },
  request: FastifyRequest,
  reply: FastifyReply,
  { shares, owner = kernel.http.caller(request), credential, subject, follow }: StreamOrder,
): Promise<void> {
  kernel.http.budgets(reply, owner, ['streams']);
  const share = kernel.accounts.budgets.take(owner, 'streams', shares);
  const wait = waits.open(reply.raw);
  const ended = new AbortController();
  const signal = AbortSignal.any([wait.signal, ended.signal]);
  const stream = openStream(reply);
  const leave = streams.add({ ...credential, beat: stream.beat, end: () => ended.abort() });
  try {
    await sleep(OPENING_MS, { signal }).catch(() => {});
    await follow(stream, signal);
    stream.end();
  } catch (error) {
    // The errors of a stream that has begun cannot be answered: cut, it is opened again; left open, it would stay
    // silent for ever.
    kernel.log.error({ err: error, ...subject }, 'event stream failed');
    reply.raw.destroy();
  } finally {
    ended.abort();
    leave();
    wait.close();
    share.release();
  }
}

/** Returns the secret that a request was sent with. */
export function bearerOf(
  { http }: Pick<ServingKernel, 'http'>,
  { headers: { authorization } }: FastifyRequest,
): StreamOrder['credential'] {
  const check = () =>
    http.keys.authenticate(authorization).then(
      () => true,
      (error: unknown) => !(error instanceof ServiceError && error.status === 401),
    );
  return { credential: `Bearer ${authorization}`, check };
}
