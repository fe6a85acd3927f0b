import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import { readIdempotencyKey, readSimulateHeader } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestEnd, recordEnd } from '../mapping/abandoned-calls.ts';
import type { Call } from '../mapping/calls.ts';
import type { CallIdentity } from '../mapping/order-call.ts';
import type { OpenaiHttp } from './openai-http.ts';

/** Reads the identity of a call from the headers. */
export function identityOf(request: FastifyRequest, call: Pick<CallIdentity, 'type' | 'path' | 'body'>): CallIdentity {
  return {
    ...call,
    idempotencyKey: readIdempotencyKey(request),
    retryCount: readRetryCount(request),
    simulate: readSimulateHeader(request),
  };
}

type EndRecords = Pick<OpenaiHttp, 'delivered' | 'leavers'> & {
  readonly kernel: Pick<ServingKernel, 'clock' | 'http' | 'log' | 'process' | 'store'>;
};

/**
 * Records the end of a call's request, once the connection is done with the answer.
 * @param complete returns the end if all of the answer was sent
 */
export function trackEnd(options: EndRecords, reply: FastifyReply, call: Call, complete: () => RequestEnd): void {
  const { raw } = reply;
  const { answers } = options.kernel.http;
  raw.once('close', () =>
    recordEndLater(options, call, raw.writableFinished && !answers.isHalfClosed(raw) ? complete() : 'left'),
  );
}

/**
 * Records an end later. A fault is only logged: the answer is being sent, and a retry needs the record only if it is
 * lost.
 */
export function recordEndLater({ kernel, delivered, leavers }: EndRecords, { id }: Call, end: RequestEnd): void {
  if (end === 'delivered') {
    delivered.add(id);
    return;
  }
  const { clock, log, process, store } = kernel;
  const now = clock.now();
  if (end === 'left') leavers.record(now);
  store
    .write('openai_delivery', (trx) => recordEnd(trx, id, { end, process: process.id, now }), { together: true })
    .catch((error: unknown) =>
      log.warn({ err: error, call: id, end }, 'could not record how a request of a call ended'),
    );
}

/** Returns the count that OpenAI's clients send with each try; 0 = the first one. */
function readRetryCount({ headers }: FastifyRequest): number {
  const text = headers['x-stainless-retry-count'];
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0;
}
