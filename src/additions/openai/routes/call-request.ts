import type { FastifyReply, FastifyRequest } from 'fastify';
import { isHalfClosed } from '../../../http/connection/half-closed.ts';
import { readIdempotencyKey, readSimulateHeader } from '../../../http/connection/request-headers.ts';
import type { TaskServices } from '../../../tasks/task-services.ts';
import { type Call, recordDelivery } from '../mapping/calls.ts';
import type { CallIdentity } from '../mapping/order-call.ts';
import type { OpenaiHttp } from './openai-http.ts';

/** Reads from the headers what identifies a call. */
export function identityOf(request: FastifyRequest, call: Pick<CallIdentity, 'type' | 'path' | 'body'>): CallIdentity {
  return {
    ...call,
    idempotencyKey: readIdempotencyKey(request),
    retryCount: readRetryCount(request),
    simulate: readSimulateHeader(request),
  };
}

type DeliveryRecords = Pick<OpenaiHttp, 'leavers'> & {
  readonly services: Pick<TaskServices, 'clock' | 'database' | 'log'>;
};

/** Records, once the connection is done with the answer of a call, whether all of it was sent. */
export function trackDelivery(options: DeliveryRecords, reply: FastifyReply, call: Call): void {
  const { raw } = reply;
  raw.once('close', () => recordLater(options, call, raw.writableFinished && !isHalfClosed(raw)));
}

/** A fault here is only logged: the answer is on its way, and a retry needs the record only if it is lost. */
export function recordLater({ services, leavers }: DeliveryRecords, { id }: Call, delivered: boolean): void {
  const now = services.clock.now();
  if (!delivered) leavers.note(now);
  services.database
    .write('openai_delivery', (trx) => recordDelivery(trx, id, { delivered, now }), { together: true })
    .catch((error: unknown) =>
      services.log.warn({ err: error, call: id, delivered }, 'could not record the delivery of an answer'),
    );
}

/** The count that OpenAI's clients send with each try; 0 = the first one. */
function readRetryCount({ headers }: FastifyRequest): number {
  const text = headers['x-stainless-retry-count'];
  return typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : 0;
}
