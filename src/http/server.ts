import { cutText, ServiceError } from '@darkroom-service/contract';
import { publicPath } from '@darkroom-service/media';
import cors from '@fastify/cors';
import fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify';
import { JoinedBody, refuseScattered } from '../listener/joined-body.ts';
import { accountRoutes } from './account-routes.ts';
import { answerError } from './answer-error.ts';
import { limitRate, requireAdminKey, requireOrderingKey } from './authenticate.ts';
import { compileShapeCheck, limitShapedBodies } from './bodies/check-shape.ts';
import { compressLongJson } from './bodies/compress-json.ts';
import { takeJsonBodies } from './bodies/json-body.ts';
import { catalogRoutes, modelRoutes } from './catalog-routes.ts';
import { mayCallerCall } from './check-grant.ts';
import { answerOddRequests, createClientErrorHandler } from './client-errors.ts';
import { createAnonymousTurns } from './connection/anonymous-turns.ts';
import { readClientAddresses } from './connection/client-address.ts';
import { moveKey } from './connection/door-keys.ts';
import { answerHalfClosed } from './connection/half-closed.ts';
import { logRequests } from './connection/log-requests.ts';
import { measureRequests } from './connection/measure-requests.ts';
import { answerOneByOne } from './connection/pipelining.ts';
import { createRequestIds } from './connection/request-id.ts';
import { SECURITY_HEADERS } from './connection/security-headers.ts';
import { cutUnreadAnswers, UNREAD_MS } from './connection/unread-answers.ts';
import { checkHeaders, checkTransferCoding, checkUrl } from './connection/url-check.ts';
import { watchHandlers } from './connection/watch-handlers.ts';
import { collectSchemas, openapiRoute } from './docs/openapi-routes.ts';
import { downloadRoutes } from './files/download-routes.ts';
import { healthRoutes } from './health-routes.ts';
import type { App, HttpOptions, RouteTools } from './http-options.ts';
import { type KnownRoutes, rememberRoutes } from './known-routes.ts';
import { packLinked } from './linked-services.ts';
import { actionRoutes } from './tasks/action-routes.ts';
import { createOpenWaits } from './tasks/open-waits.ts';
import { priceRoutes } from './tasks/price-routes.ts';
import { taskRoutes } from './tasks/task-routes.ts';

const REQUEST_ARRIVES_WITHIN_MS = 300_000;
const HEADERS_ARRIVE_WITHIN_MS = 30_000;
/** Maximum number of open connections; further ones are closed at once. */
const MAX_CONNECTIONS = 10_000;
const MAX_HEADER_BYTES = 16_384;
const LONGEST_PARAMETER = 8_192;

const EXPOSED_HEADERS = [
  'content-range',
  'darkroom-ignored-fields',
  'darkroom-task-ids',
  'deprecation',
  'etag',
  'idempotent-replayed',
  'link',
  'location',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'x-request-id',
];

/**
 * Builds the complete HTTP interface, which is not listening yet. Closing it ends requests that wait for tasks; it
 * closes none of the given parts.
 */
export async function buildHttp(options: HttpOptions): Promise<FastifyInstance> {
  const createRequestId = createRequestIds();
  const unreadable = { docsUrl: options.docsUrl, createRequestId: () => createRequestId({ headers: {} }) };
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(options, error, request, reply);
  const app: App = fastify({
    ...serverOptions(options),
    genReqId: createRequestId,
    clientErrorHandler: createClientErrorHandler(unreadable),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...SECURITY_HEADERS, 'x-request-id': request.id });
      return fail(error, request, reply);
    },
  });
  answerOddRequests(app.server, unreadable);
  answerHalfClosed(app.server);
  cutUnreadAnswers(app.server, options.arrival?.unreadMs ?? UNREAD_MS);
  app.server.maxConnections = MAX_CONNECTIONS;
  refuseScattered(app);
  answerOneByOne(app);
  const routes = rememberRoutes(app, options.publicUrl, (path) => {
    for (const { hintFor } of options.additions) {
      const hint = hintFor?.(path) ?? null;
      if (hint !== null) return ` ${hint}`;
    }
    return null;
  });
  takeJsonBodies(app, {
    budgets: options.services.budgets,
    pace: options.bodyPace,
    maxBodyBytes: options.maxBodyBytes,
  });
  app.setValidatorCompiler(compileShapeCheck);
  limitShapedBodies(app, options.maxBodyBytes);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler(fail);
  readClientAddresses(app, options.trustProxy !== false);
  app.decorateRequest('apiKey');
  app.decorateRequest('placed');
  app.decorateRequest('refusal');
  const doors = options.additions
    .flatMap(({ doors: added = {} }) => Object.entries(added))
    .filter(([, places]) => Object.keys(places).length > 0);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    try {
      checkHeaders(request.raw);
      checkTransferCoding(request.raw);
      checkUrl(request.raw.url ?? '');
      for (const [path, places] of doors) if (request.url.startsWith(path)) moveKey(request, places);
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  // Before CORS, which knows only the operator's own origins.
  for (const { callers } of options.additions)
    if (callers !== undefined) app.addHook('onRequest', callers.answerPages(options, EXPOSED_HEADERS));
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: options.corsOrigins.includes('*') ? '*' : [...options.corsOrigins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED_HEADERS,
      maxAge: 600,
      strictPreflight: false,
    });
  }
  // Before the body of a request to an unknown address is read, and after CORS has answered.
  app.addHook('onRequest', (request, _reply, done) => {
    const isNowhere = request.is404 || routes.isTakenElsewhere(request.url, request.routeOptions.url);
    if (isNowhere) done(routes.refusal(request.method, request.url));
    else done();
  });
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (coding !== 'identity' && hasBody(request)) return done(compressed(coding));
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue();
    done();
  });
  app.setNotFoundHandler((request) => {
    throw routes.refusal(request.method, request.url);
  });
  for (const { everyRequest } of options.additions) everyRequest?.(app);
  measureRequests(app, options.metrics);
  watchHandlers(app, { running: options.running, log: options.log, now: () => options.services.clock.now() });
  compressLongJson(app);
  logRequests(app, options.log, options.logRequests ?? 'off');
  const document = await collectSchemas(app, options);
  await registerRoutes(app, options, routes, document);
  return app;
}

function serverOptions({ arrival, ...options }: HttpOptions): FastifyHttpOptions<RawServerDefault> {
  const headersMs = arrival?.headersMs ?? HEADERS_ARRIVE_WITHIN_MS;
  return {
    logger: false,
    trustProxy: trustOf(options.trustProxy),
    bodyLimit: options.maxBodyBytes,
    requestTimeout: arrival?.requestMs ?? REQUEST_ARRIVES_WITHIN_MS,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    http: {
      IncomingMessage: JoinedBody,
      headersTimeout: headersMs,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      connectionsCheckingInterval: Math.min(5_000, headersMs),
    },
    return503OnClosing: false,
    ...pathOf(options.publicUrl),
  };
}

async function registerRoutes(
  app: App,
  options: HttpOptions,
  routes: KnownRoutes,
  document: RouteTools['document'],
): Promise<void> {
  const waits = createOpenWaits();
  app.addHook('preClose', async () => waits.endAll());
  const { services, servicesFor } = options;
  const answers = { services, servicesFor, waits };
  const takeTurn = createAnonymousTurns(options.services.budgets);
  const tools: RouteTools = {
    takeTurn,
    waits,
    packLinked: (text) => packLinked(options, text),
    document,
    additions: options.additions,
    mayCall: (request, operation) => mayCallerCall(request.apiKey, options, operation),
    pages: options.additions.flatMap(({ pages }) => pages ?? []),
  };
  await app.register(async (scope) => {
    const open: App = scope;
    catalogRoutes(open, options, takeTurn);
    downloadRoutes(open, options);
    healthRoutes(open, options);
    for (const addition of options.additions) await addition.open?.(open, options, tools);
    openapiRoute(open, tools);
  });
  for (const { mount } of options.additions)
    if (mount !== undefined) await app.register(async (scope) => await mount(scope, { options, app, answers, routes }));
  await app.register(async (scope) => {
    const v1: App = scope;
    v1.addHook('onRequest', requireOrderingKey(options));
    limitReadsByDefault(v1, options);
    taskRoutes(v1, options, answers, 'image');
    taskRoutes(v1, options, answers, 'video');
    actionRoutes(v1, options, answers);
    priceRoutes(v1, options);
    modelRoutes(v1, options);
    accountRoutes(v1, options);
    for (const addition of options.additions) await addition.v1?.(v1, options, tools);
  });
  await app.register(async (scope) => {
    const admin: App = scope;
    admin.addHook('onRequest', requireAdminKey(options));
    limitReadsByDefault(admin, options);
    for (const addition of options.additions) addition.admin?.(admin, options, tools);
  });
}

/** Counts every route as a read unless it says otherwise. */
function limitReadsByDefault(app: App, options: HttpOptions): void {
  const limitReads = limitRate(options, 'reads');
  app.addHook('onRoute', (route) => {
    route.onRequest ??= limitReads;
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function compressed(coding: string): ServiceError {
  return new ServiceError(
    'unsupported_media_type',
    `The body has the Content-Encoding '${cutText(coding, 40)}', which is not accepted. Send it uncompressed.`,
    { param: 'Content-Encoding', headers: { 'accept-encoding': 'identity' } },
  );
}

/** Returns the trusted proxies in Fastify's form. A number counts the proxies in front. */
function trustOf(trust: HttpOptions['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return typeof trust === 'boolean' ? trust : [...trust];
}

/** Returns the option that accepts requests with and without the path of the public address. */
function pathOf(publicUrl: string) {
  const prefix = publicPath(publicUrl);
  if (prefix === '') return {};
  return {
    rewriteUrl: (request: { url?: string | undefined }) => {
      const url = request.url ?? '/';
      return url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
    },
  };
}
