import { parseMicros, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey, ServingKernel } from '@darkroom-service/darkroom/kernel';
import type { App, HttpOptions } from '@darkroom-service/darkroom/kernel-http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { createApprovals } from '../approval.ts';
import { createMcpServer } from '../mcp-server.ts';
import type { Conversation } from '../tool-context.ts';
import { callWithin } from './call-within.ts';

/** Answers MCP messages. This file is loaded only in a process that an agent uses. */
export interface McpEndpoint {
  /** @param signal aborted when the client leaves */
  readonly fetch: (request: FastifyRequest, key: OrderingKey, signal: AbortSignal) => Promise<Response>;
}

/** The parts of the interface that the endpoint needs. */
export type McpOptions = Pick<HttpOptions, 'corsOrigins' | 'docsUrl' | 'isStopping' | 'maxBodyBytes' | 'secretOf'>;

/** Opens the endpoint; all processes of the installation sign approvals with one secret. */
export async function openMcpEndpoint(
  v1: App,
  { http, log, settings }: Pick<ServingKernel, 'http' | 'log' | 'settings'>,
  options: McpOptions,
): Promise<McpEndpoint> {
  const approvals = createApprovals(await options.secretOf('mcp-approvals'));
  return {
    async fetch(request, key, signal) {
      const context = {
        call: callWithin(v1, request, options),
        owner: key.id,
        approvals,
        conversation: conversationOf(request),
      };
      const handler = createMcpHandler(() => createMcpServer(context), {
        onerror: (error) => log.debug({ err: error, request_id: request.id }, 'MCP request refused'),
      });
      const { method, headers, body } = request;
      const webRequest = new Request(`${settings.publicUrl}/mcp`, { method, headers: textHeaders(headers), signal });
      const response = await handler.fetch(webRequest, { parsedBody: http.bodies.whole(body) });
      // Only the server knows whether the connection stays open.
      response.headers.delete('connection');
      return response;
    },
  };
}

function textHeaders(headers: FastifyRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
}

/**
 * Reads the conversation of a request and its budget. The host that holds the connection sets both, not the agent.
 * @throws ServiceError
 */
function conversationOf({ headers }: Pick<FastifyRequest, 'headers'>): Conversation {
  const id = headers['darkroom-conversation'];
  const amount = headers['darkroom-budget'];
  if (id !== undefined && (typeof id !== 'string' || !/^(?!\.{1,2}$)[\x21-\x7e]{1,128}$/.test(id)))
    throw invalid(
      'Darkroom-Conversation',
      "must have 1 to 128 printable ASCII characters without spaces, and be neither '.' nor '..'.",
    );
  if (amount === undefined) return { id: id ?? null, budget: null };
  const budget = typeof amount === 'string' ? parseMicros(amount) : null;
  if (budget === null || budget < 0) throw invalid('Darkroom-Budget', 'must be US dollars such as 5.00.');
  if (id === undefined)
    throw invalid('Darkroom-Budget', 'needs the header Darkroom-Conversation, which names the orders that count.');
  return { id, budget };
}

function invalid(param: string, reason: string): ServiceError {
  return new ServiceError('invalid_request', `The header ${param} ${reason}`, { param });
}
