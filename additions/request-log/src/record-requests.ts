import { isId } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnsweredRequest, RequestRecorder } from './request-recorder.ts';

/** Requests that are recorded. `changes`: failures, and everything that is no successful read. */
export type RecordedRequests = 'all' | 'changes' | 'failures' | 'off';

/** Records requests that carried a key, once their answers are complete or cannot be completed. */
export function recordRequests(
  app: FastifyInstance,
  answers: Pick<ServingKernel['http']['answers'], 'isHalfClosed'>,
  which: RecordedRequests,
  recorder: RequestRecorder,
): void {
  if (which === 'off') return;
  const isRecorded = (status: number | null, request: FastifyRequest) =>
    which === 'all' || (status !== null && status >= 400) || (which === 'changes' && !isRead(request));
  app.addHook('onRequest', (request, reply, done) => {
    // A hook on responses would not see callers who leave before the answer.
    reply.raw.once('close', () => {
      // A caller that closed its side before the answer may be gone.
      const isSeen = reply.raw.writableEnded && !answers.isHalfClosed(reply.raw);
      const status = isSeen ? reply.raw.statusCode : null;
      if (hasKey(request) && isRecorded(status, request)) recorder.record(describeAnswer(request, reply, status));
    });
    done();
  });
}

/** Tells whether a request has a key; false before it was admitted. */
function hasKey(request: FastifyRequest): boolean {
  return (request.apiKey as FastifyRequest['apiKey'] | undefined) !== undefined;
}

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config.onlyReads === true;
}

function describeAnswer(request: FastifyRequest, reply: FastifyReply, status: number | null): AnsweredRequest {
  return {
    api_key_id: request.apiKey.id,
    account_id: request.apiKey.account.id,
    method: request.method,
    path: patternOf(request).replaceAll(/:(\w+)/g, '{$1}'),
    status,
    code: request.refusal ?? null,
    duration_ms: Math.round(reply.elapsedTime),
    request_id: request.id,
    task_id: request.placed?.task_id ?? namedTask(request.params),
  };
}

/** Returns the route's pattern, never the address itself, which may contain anything. */
function patternOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

function namedTask(params: unknown): string | null {
  const { task_id: id } = params as { readonly task_id?: string };
  return id !== undefined && isId(id, 'img', 'vid') ? id : null;
}
