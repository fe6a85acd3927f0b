import { ServiceError } from '@darkroom-service/contract';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses requests from other sites. The cookie identifies the browser; this check identifies the sender: a page of the
 * service, or a program.
 * @throws ServiceError `forbidden`
 */
export function requireOwnPage({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  const own = [new URL(publicUrl).origin, `http://${host}`, `https://${host}`];
  if ((site === undefined || site === 'same-origin') && (origin === undefined || own.includes(origin))) return;
  throw new ServiceError('forbidden', 'Only the console of this service may do this.', { param: 'Origin' });
}
