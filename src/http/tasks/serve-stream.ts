import { ServiceError } from '@darkroom-service/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Owner } from '../../accounts/scope.ts';
import { callerOf } from '../authenticate.ts';
import { publishBudgets } from '../budget-headers.ts';
import type { HttpOptions } from '../http-options.ts';
import type { TaskAnswers } from './answer-task.ts';
import type { EventStream, EventStreams } from './event-streams.ts';
import { openStream, type Stream } from './open-stream.ts';

/** The facts of a request that opens a stream of events. */
export interface StreamOrder {
  /** The part of the streams of the key, or of its end user, that it takes. */
  readonly shares: number;
  /** The owner of the streams, if not the caller. */
  readonly owner?: Owner;
  /** The credential that opened the stream; the stream ends when it no longer works. */
  readonly credential: Pick<EventStream, 'credential' | 'check'>;
  /** The subject of a log line, if the stream fails. */
  readonly subject: Readonly<Record<string, string>>;
  /** Sends events until all is told or the signal is aborted. */
  readonly follow: (stream: Stream, signal: AbortSignal) => Promise<void>;
}

/**
 * Answers a request with a stream of events, until it is followed to its end, its reader leaves, its credential no
 * longer works, or the service stops.
 * @throws ServiceError `rate_limited` if the key or the end user has no stream left
 */
export async function serveStream(
  { services, waits, streams }: Pick<HttpOptions, 'services'> & TaskAnswers & { readonly streams: EventStreams },
  request: FastifyRequest,
  reply: FastifyReply,
  { shares, owner = callerOf(request), credential, subject, follow }: StreamOrder,
): Promise<void> {
  publishBudgets(reply, services.budgets, owner, ['streams']);
  const share = services.budgets.take(owner, 'streams', shares);
  const wait = waits.open(reply.raw);
  const ended = new AbortController();
  const signal = AbortSignal.any([wait.signal, ended.signal]);
  const stream = openStream(reply);
  const leave = streams.add({ ...credential, beat: stream.beat, end: () => ended.abort() });
  try {
    await follow(stream, signal);
    stream.end();
  } catch (error) {
    // Nobody answers for a stream that has begun: cut, it is opened again; left alone, it would stay silent for good.
    services.log.error({ err: error, ...subject }, 'event stream failed');
    reply.raw.destroy();
  } finally {
    ended.abort();
    leave();
    wait.close();
    share.release();
  }
}

/** The secret that a request was sent with. */
export function bearerOf(
  { keyring }: Pick<HttpOptions, 'keyring'>,
  { headers: { authorization } }: FastifyRequest,
): StreamOrder['credential'] {
  const check = () =>
    keyring.authenticate(authorization).then(
      () => true,
      (error: unknown) => !(error instanceof ServiceError && error.status === 401),
    );
  return { credential: `Bearer ${authorization}`, check };
}
