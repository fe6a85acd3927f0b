import type { IncomingMessage } from 'node:http';
import { world } from '@darkroom-service/contract';

const SANE = /^[\w.:/=+@-]{1,128}$/;

/**
 * Creates the function that returns the caller's own `X-Request-Id` if it is valid, else one of ours: a random prefix
 * of this process, and a count.
 */
export function createRequestIds(): (request: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = Buffer.from(world.randomBytes(8)).toString('hex');
  let count = 0;
  return (request) => {
    const sent = request.headers['x-request-id'];
    if (typeof sent === 'string' && SANE.test(sent)) return sent;
    count++;
    return `req_${prefix}${count.toString(36).padStart(6, '0')}`;
  };
}
