import type { Call } from '@darkroom-service/addition-openai/mapping/calls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GeminiHttp } from './gemini-http.ts';
import { streamCall } from './stream-call.ts';

/** Places a call, and answers when it is final. The wait is counted before the order. */
export async function waitForPlaced(
  parts: GeminiHttp,
  request: FastifyRequest,
  reply: FastifyReply,
  { streams, place }: { readonly streams: boolean; readonly place: () => Promise<Call> },
): Promise<unknown> {
  const { accounts, http } = parts.kernel;
  const share = accounts.budgets.take(http.caller(request), streams ? 'streams' : 'waits', 1);
  let isStreaming = false;
  try {
    const call = await place();
    if (!streams) return await parts.hold(request, reply, call, 0);
    isStreaming = true;
    return await streamCall(parts, request, reply, call);
  } finally {
    if (isStreaming && !reply.raw.closed) reply.raw.once('close', () => share.release());
    else share.release();
  }
}
