import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { parseMicros } from '../../base/money.ts';
import type { Conversation } from '../../mcp/tool-context.ts';

/**
 * Which conversation a request belongs to, and what it may spend. The host that holds the connection sets both, not the
 * agent.
 * @throws ServiceError
 */
export function conversationOf({ headers }: Pick<FastifyRequest, 'headers'>): Conversation {
  const id = headers['darkroom-conversation'];
  const amount = headers['darkroom-budget'];
  if (id !== undefined && (typeof id !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(id)))
    throw invalid('Darkroom-Conversation', 'must have 1 to 128 printable ASCII characters without spaces.');
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
