import { ServiceError } from '@darkroom-service/contract/errors';
import type { FastifyRequest } from 'fastify';
import type { HttpOptions } from '../../../http/http-options.ts';

/**
 * Refuses pages of other origins, as the protocol demands: only browsers send an origin, and a page of an attacker must
 * not reach a server on the same machine. @throws ServiceError `forbidden`
 */
export function checkOrigin(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { publicUrl, corsOrigins }: Pick<HttpOptions, 'publicUrl' | 'corsOrigins'>,
): void {
  const { origin } = headers;
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  if (corsOrigins.includes('*') || corsOrigins.includes(origin)) return;
  throw new ServiceError(
    'forbidden',
    `Pages of the origin '${origin.slice(0, 100)}' may not use MCP here. The operator allows origins with DARKROOM_CORS_ORIGINS.`,
    { param: 'Origin' },
  );
}
