import { type Attributes, SpanStatusCode } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { timeOf } from './span-time.ts';
import type { RequestSpan, SpanTracer } from './span-tracer.ts';

/** Paths that machines request every few seconds. */
const PROBES = ['/healthz', '/readyz', '/metrics'];

declare module 'fastify' {
  interface FastifyRequest {
    /** Span of the request; null = not sampled. */
    traceSpan?: RequestSpan | null;
  }
}

/** Makes each request a span, the child of the caller's. */
export function traceRequests(app: FastifyInstance, tracer: SpanTracer): void {
  app.decorateRequest('traceSpan');
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url;
    if (route !== undefined && PROBES.includes(route)) return done();
    const { traceparent } = request.headers;
    request.traceSpan = tracer.startRequest(
      request.id,
      route === undefined ? request.method : `${request.method} ${route}`,
      () => attributesOf(request, route),
      typeof traceparent === 'string' ? parseTraceParent(traceparent) : null,
    );
    if (request.traceSpan === null) return done();
    tracer.within(request.traceSpan, done);
  });
  // A body arrives outside of the first hook's flow.
  app.addHook('preHandler', ({ traceSpan: span }, _reply, done) => {
    if (span === undefined || span === null) return done();
    tracer.within(span, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const answered = request.traceSpan;
    if (answered === undefined || answered === null) return done();
    const { span, startedAt } = answered;
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (request.placed !== undefined) span.setAttribute('darkroom.task.id', request.placed.task_id);
    if (request.refusal !== undefined) span.setAttribute('error.type', request.refusal);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timeOf(startedAt + reply.elapsedTime));
    // For the line that is logged next.
    tracer.within(answered, done);
  });
}

function attributesOf(request: FastifyRequest, route: string | undefined): Attributes {
  return {
    'http.request.method': request.method,
    ...(route === undefined ? {} : { 'http.route': route }),
    'url.scheme': request.protocol,
    'darkroom.request.id': request.id,
  };
}
