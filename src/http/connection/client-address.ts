import { canonicalAddress } from '@darkroom-service/media';
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Address of the client in its canonical notation, for limits and records in place of `ip`; null if the connection
     * has none.
     */
    readonly clientAddress: string | null;
  }
}

/**
 * Sets the client address of each request. The addresses named by proxies are rewritten before they are read, since
 * those in between are compared with the trusted addresses.
 */
export function readClientAddresses(app: FastifyInstance, trustsProxies: boolean): void {
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return canonicalAddress(this.ip ?? '');
    },
  });
  if (!trustsProxies) return;
  app.addHook('onRequest', ({ raw: { headers, socket } }, _reply, done) => {
    const named = headers['x-forwarded-for'];
    if (typeof named === 'string') headers['x-forwarded-for'] = canonicalChain(named, socket.remoteAddress ?? '');
    done();
  });
}

/**
 * Returns the chain with canonical addresses. An entry that is no address becomes that of the proxy that wrote it,
 * which follows it.
 */
function canonicalChain(named: string, peer: string): string {
  let writer = canonicalAddress(peer) ?? '';
  const chain = named.split(',').reverse();
  return chain
    .map((entry) => {
      writer = canonicalAddress(entry.trim()) ?? writer;
      return writer;
    })
    .reverse()
    .join(', ');
}
