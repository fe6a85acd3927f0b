import { sendEvents } from '@darkroom-service/addition-common/http/event-streams';
import { cutText, nextTurn, ServiceError, sleep, world } from '@darkroom-service/contract';
import type { ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import { loadPart } from '@darkroom-service/media/process';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { McpEndpoint, McpOptions } from './mcp-endpoint.ts';

const PATH = '/mcp';
/** Path prefix of the metadata, which RFC 9728 puts before the path of the resource. */
const METADATA = '/.well-known/oauth-protected-resource';
/** Maximum size of a message: media of several megabytes belong into an upload. */
const MOST_BODY_BYTES = 4_194_304;
/** Size from which on a message is long: it blocks the event loop for milliseconds, so a key has one at a time. */
const LONG_BYTES = 16_384;
/** Time within which a message is read; its tool may wait longer for a task. */
const READ_WITHIN_MS = 50;
const REST_TIMES = 3;

/**
 * Serves the MCP tools over streamable HTTP. A request needs an API key like any request under `/v1`, and its tools
 * call `/v1` with it.
 * @param v1 the app that answers those calls
 */
export function mcpRoutes(app: App, v1: App, kernel: ServingKernel, options: McpOptions): void {
  const { http, work } = kernel;
  let endpoint: Promise<McpEndpoint> | null = null;
  // The packages are as large as the rest of the service: they are loaded when the first agent connects.
  const open = async () => {
    endpoint ??= loadInPieces().then((module) => module.openMcpEndpoint(v1, kernel, options));
    try {
      return await endpoint;
    } catch (error) {
      // The next request tries again: the database may have recovered by then.
      endpoint = null;
      throw error;
    }
  };
  const limitReads = http.limit('reads');
  const publicUrlFor = (request: FastifyRequest) => http.linked(request).settings.publicUrl;
  const longMessages = work.turns(1);
  let lastStart: Promise<unknown> = Promise.resolve();
  /** Admits one message per turn of the event loop, so that other requests come between two of them. */
  const startInTurn = () => {
    lastStart = lastStart.then(() => nextTurn());
    return lastStart;
  };

  const admit: onRequestHookHandler = async (request, reply) => {
    checkOrigin(request, kernel.settings.publicUrl, options);
    await http.admit(request, reply).catch((error: unknown) => {
      throw withMetadata(error, publicUrlFor(request));
    });
    await limitReads(request, reply);
  };

  app.post(
    PATH,
    {
      onRequest: admit,
      bodyLimit: Math.min(MOST_BODY_BYTES, options.maxBodyBytes),
      schema: { hide: true },
      // The tool's own calls are recorded as requests of their own.
      config: { onlyReads: true, standsFor: 'GET /v1/account', takesManyOrders: true },
    },
    async (request, reply) => {
      const { fetch } = await open();
      const caller = http.caller(request);
      const signal = leaving(http, reply);
      const isLong = Number(request.headers['content-length'] ?? LONG_BYTES) >= LONG_BYTES;
      const end = isLong ? await longMessages.take(caller.id, signal) : null;
      await startInTurn();
      const answering = fetch(request, caller, signal);
      if (end !== null) void restAfter(answering).then(end);
      const answer = await answering;
      if (answer.body === null || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
        return await reply.header('cache-control', 'no-store').send(answer);
      return await sendEvents(reply.code(answer.status).headers(Object.fromEntries(answer.headers)), answer.body);
    },
  );

  const metadataFor = (publicUrl: string) => ({
    resource: `${publicUrl}${PATH}`,
    resource_name: 'Darkroom',
    bearer_methods_supported: ['header'],
    ...(options.docsUrl === null ? {} : { resource_documentation: `${publicUrl}/docs` }),
  });
  for (const path of [METADATA, `${METADATA}${PATH}`])
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      reply.header('access-control-allow-origin', '*');
      return metadataFor(publicUrlFor(request));
    });
}

/** Pauses after a long message, three times its duration, to leave time for other keys. */
async function restAfter(answering: Promise<unknown>): Promise<void> {
  const began = world.monotonic();
  await Promise.race([answering.catch(() => {}), sleep(READ_WITHIN_MS)]);
  await sleep(REST_TIMES * (world.monotonic() - began));
}

/** Loads the packages one by one, each of which blocks the event loop, and lets other requests run in between. */
async function loadInPieces() {
  await loadPart(() => import('zod'));
  await nextTurn();
  await loadPart(() => import('@modelcontextprotocol/server'));
  await nextTurn();
  return await loadPart(() => import('./mcp-endpoint.ts'));
}

/** Adds the address of the resource's description to the refusal of a client without a valid key. */
function withMetadata(error: unknown, publicUrl: string): unknown {
  if (!(error instanceof ServiceError) || error.status !== 401) return error;
  const { code, message, param, cause } = error;
  const challenge = `Bearer resource_metadata="${publicUrl}${METADATA}${PATH}"`;
  return new ServiceError(code, message, { param, cause, headers: { 'www-authenticate': challenge } });
}

/** Aborts when the client leaves before its answer is complete. */
function leaving({ answers }: ServingKernel['http'], reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  answers.onClientGone(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * Refuses pages of other origins, as the protocol demands: only browsers send an origin, and a page of an attacker must
 * not reach a server on the same machine. @throws ServiceError `forbidden`
 */
function checkOrigin(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string,
  { corsOrigins }: Pick<McpOptions, 'corsOrigins'>,
): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  if (corsOrigins.includes('*') || corsOrigins.includes(origin)) return;
  throw new ServiceError(
    'forbidden',
    `Pages of the origin '${cutText(origin, 100)}' may not use MCP here. The operator allows origins with DARKROOM_CORS_ORIGINS.`,
    { param: 'Origin' },
  );
}
