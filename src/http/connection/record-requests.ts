import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnsweredRequest, RequestRecorder } from '../../accounts/requests/request-recorder.ts';

/** `changes`: failures, and everything that is no successful read. */
export type RecordedRequests = 'all' | 'changes' | 'failures' | 'off';

/** They change nothing. What a tool of MCP calls is recorded as a request of its own. */
const READING_POSTS: ReadonlySet<string | undefined> = new Set(['/v1/prices', '/mcp']);
const TASK_ID = /^(?:img|vid)_[0-9a-z]{26}$/;

/** Records requests that carried a key, once their answers are complete or cannot be completed. */
export function recordRequests(app: FastifyInstance, which: RecordedRequests, recorder: RequestRecorder): void {
  if (which === 'off') return;
  app.addHook('onRequest', (request, reply, done) => {
    // A hook on responses would not see callers who leave before the answer.
    reply.raw.once('close', () => {
      const answered = readAnswered(request, reply);
      if (answered !== null && isRecorded(answered, which)) recorder.record(answered);
    });
    done();
  });
}

/** Returns null for a request without a key. */
function readAnswered(request: FastifyRequest, reply: FastifyReply): AnsweredRequest | null {
  const key = request.apiKey as FastifyRequest['apiKey'] | undefined;
  if (key === undefined) return null;
  return {
    api_key_id: key.id,
    account_id: key.account.id,
    method: request.method,
    path: (request.routeOptions.url ?? 'unknown').replaceAll(/:(\w+)/g, '{$1}'),
    status: reply.raw.writableEnded ? reply.raw.statusCode : null,
    code: request.refusal ?? null,
    duration_ms: Math.round(reply.elapsedTime),
    request_id: request.id,
    task_id: request.placed?.task_id ?? namedTask(request.params),
  };
}

function isRecorded({ method, path, status }: AnsweredRequest, which: RecordedRequests): boolean {
  if (which === 'all' || (status !== null && status >= 400)) return true;
  return which === 'changes' && method !== 'GET' && method !== 'HEAD' && !READING_POSTS.has(path);
}

function namedTask(params: unknown): string | null {
  const { task_id: id } = params as { readonly task_id?: string };
  return id !== undefined && TASK_ID.test(id) ? id : null;
}
