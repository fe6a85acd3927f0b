import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { OrderingKey } from '../../accounts/api-key.ts';
import { withWholeTexts } from '../../base/long-texts.ts';
import { createApprovals } from '../../mcp/approval.ts';
import { createMcpServer } from '../../mcp/mcp-server.ts';
import type { App, HttpOptions } from '../http-options.ts';
import { callWithin } from './call-within.ts';
import { conversationOf } from './conversation.ts';

/** Answers MCP messages. Only a process that an agent uses loads this file. */
export interface McpEndpoint {
  /** @param signal aborted when the client leaves */
  readonly fetch: (request: FastifyRequest, key: OrderingKey, signal: AbortSignal) => Promise<Response>;
}

/** Opens the endpoint; all processes of the installation sign approvals with one secret. */
export async function openMcpEndpoint(v1: App, options: HttpOptions): Promise<McpEndpoint> {
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
        onerror: (error) => options.log.debug({ err: error, request_id: request.id }, 'MCP request refused'),
      });
      const { method, headers, body } = request;
      const webRequest = new Request(`${options.publicUrl}/mcp`, { method, headers: textHeaders(headers), signal });
      return await handler.fetch(webRequest, { parsedBody: withWholeTexts(body) });
    },
  };
}

function textHeaders(headers: FastifyRequest['headers']): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
}
