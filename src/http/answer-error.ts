import { reasonOf, type ServiceError } from '@darkroom-service/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { discardBody } from './bodies/read-body.ts';
import { addRateLimits } from './budget-headers.ts';
import { errorBody, errorHeaders, toServiceError } from './error-body.ts';
import type { HttpOptions } from './http-options.ts';

/** An error as its interface answers it. */
interface ErrorAnswerParts {
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Describe = (error: ServiceError, request: FastifyRequest) => ErrorAnswerParts;

/**
 * Answers a failed request and logs faults of the service.
 * @param describe formats errors for an interface other than our own
 */
export function answerError(
  options: HttpOptions,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  describe: Describe = (error) => describeOwn(options, error, request),
) {
  const error = toServiceError(thrown);
  if (error.code === 'model_unavailable') {
    // The operator was notified when the outage began.
    options.log.info({ request_id: request.id, code: error.code }, error.message);
  } else if (error.status >= 500) {
    // During an outage each request would log the same line: without its id, repeated lines are counted.
    const id = error.code === 'service_unavailable' ? {} : { request_id: request.id };
    options.log.error({ err: thrown, reason: reasonOf(thrown), ...id, code: error.code }, 'request failed');
  }
  request.refusal = error.code;
  // Headers that a handler set for a file do not apply to the refusal.
  for (const name of ['content-length', 'content-disposition', 'etag']) reply.removeHeader(name);
  // Fastify closes the connection when a body is refused. While the caller is still sending, the answer would be lost
  // with it; so the rest is read and discarded, within the time that any body may take.
  if (reply.hasHeader('connection') && reply.raw.shouldKeepAlive && !options.isStopping())
    reply.header('connection', 'keep-alive');
  if (!request.raw.complete) discardBody(request, options.bodyPace);
  const { ratelimit, 'ratelimit-policy': policy, ...headers } = errorHeaders(error);
  addRateLimits(reply, { 'ratelimit-policy': policy, ratelimit });
  const answer = describe(error, request);
  return reply
    .code(error.status)
    .headers({ ...headers, ...answer.headers })
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(answer.body);
}

function describeOwn(options: HttpOptions, error: ServiceError, request: FastifyRequest): ErrorAnswerParts {
  const docsUrl = options.docsUrl === null ? null : `${options.servicesFor(request).settings.publicUrl}/docs`;
  const doesItOnce = request.method !== 'POST' || request.headers['idempotency-key'] !== undefined;
  return { body: errorBody(error, request.id, docsUrl, doesItOnce) };
}
