import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../../http/authenticate.ts';
import { releaseBody } from '../../../http/bodies/read-body.ts';
import type { TaskAnswers } from '../../../http/tasks/answer-task.ts';
import type { Call } from '../mapping/calls.ts';
import { type StreamKind, streamImages } from '../mapping/image-events.ts';
import { describeCall } from './answer-call.ts';
import { trackDelivery } from './call-request.ts';

/** Answers a call by server-sent events, which keep the connection alive however long it takes. */
export async function streamCall(
  { services, waits }: TaskAnswers,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  kind: StreamKind,
) {
  describeCall(reply, call);
  trackDelivery(services, reply, call);
  releaseBody(request);
  const wait = waits.open(reply.raw);
  const events = streamImages(services, callerOf(request), call, { kind, signal: wait.signal });
  reply.raw.once('close', wait.close);
  return reply
    .headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    .send(Readable.from(events, { objectMode: false }));
}
