import type { FastifyReply, onRequestHookHandler } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { callerOf, limitRate, requireOrderingKey } from '../authenticate.ts';
import { onceLeft } from '../connection/half-closed.ts';
import type { App, HttpOptions } from '../http-options.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import { checkOrigin } from './origin.ts';

const PATH = '/mcp';
/** RFC 9728 puts this before the path of the resource. */
const METADATA = '/.well-known/oauth-protected-resource';
/** Media of several megabytes belong into an upload. */
const MOST_BODY_BYTES = 4_194_304;

/**
 * The MCP server over streamable HTTP. A request needs an API key like any request under `/v1`, and its tools call
 * `/v1` with it. @param v1 the app that answers those calls
 */
export function mcpRoutes(app: App, v1: App, options: HttpOptions): void {
  let endpoint: Promise<McpEndpoint> | null = null;
  // The packages are as large as the rest of the service: they are loaded when the first agent comes.
  const open = async () => {
    endpoint ??= import('./mcp-endpoint.ts').then((module) => module.openMcpEndpoint(v1, options));
    try {
      return await endpoint;
    } catch (error) {
      // The next request tries again: the database may be back by then.
      endpoint = null;
      throw error;
    }
  };
  const requireKey = requireOrderingKey(options);
  const limitReads = limitRate(options, 'reads');

  const admit: onRequestHookHandler = async (request, reply) => {
    checkOrigin(request, options);
    await requireKey(request, reply).catch((error: unknown) => {
      throw withMetadata(error, options.publicUrl);
    });
    await limitReads(request, reply);
  };

  app.post(
    PATH,
    { onRequest: admit, bodyLimit: Math.min(MOST_BODY_BYTES, options.maxBodyBytes), schema: { hide: true } },
    async (request, reply) => {
      const { fetch } = await open();
      const answer = await fetch(request, callerOf(request), leaving(reply));
      reply.header('cache-control', 'no-store');
      return await reply.send(answer);
    },
  );

  const metadata = {
    resource: `${options.publicUrl}${PATH}`,
    resource_name: 'Darkroom',
    bearer_methods_supported: ['header'],
    resource_documentation: `${options.publicUrl}/docs`,
  };
  for (const path of [METADATA, `${METADATA}${PATH}`])
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      reply.header('access-control-allow-origin', '*');
      return metadata;
    });
}

/** Tells a client that sent no valid key where the resource is described. */
function withMetadata(error: unknown, publicUrl: string): unknown {
  if (!(error instanceof ServiceError) || error.status !== 401) return error;
  const { code, message, param, cause } = error;
  const challenge = `Bearer resource_metadata="${publicUrl}${METADATA}${PATH}"`;
  return new ServiceError(code, message, { param, cause, headers: { 'www-authenticate': challenge } });
}

/** Aborts when the client leaves before its answer is complete. */
function leaving(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  onceLeft(reply.raw, () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
