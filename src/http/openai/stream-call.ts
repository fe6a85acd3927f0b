import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../../openai/calls.ts';
import { type StreamKind, streamImages } from '../../openai/image-events.ts';
import { callerOf } from '../authenticate.ts';
import { releaseBody } from '../bodies/read-body.ts';
import type { TaskAnswers } from '../tasks/answer-task.ts';
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
