import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Serves the address at which a client waits for a call that it ordered before. */
export function resultRoutes(
  mount: App,
  serveResult: (request: FastifyRequest, reply: FastifyReply, id: string) => Promise<unknown>,
): void {
  mount.get<{ Params: { call_id: string } }>(
    '/images/results/:call_id',
    { schema: { hide: true } },
    async (request, reply) => await serveResult(request, reply, request.params.call_id),
  );
}
