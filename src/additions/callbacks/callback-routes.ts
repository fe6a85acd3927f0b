import { ServiceError } from '@darkroom-service/contract';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';
import type { CallbackClaim } from './callback-tokens.ts';
import type { CallbackReceiver } from './receive-callbacks.ts';

/** Maximum size of a call's body. Longer calls are refused, and the order's next check finds its end. */
const MAX_BODY_BYTES = 1_000_000;
const FULL_FOR_SECONDS = 5;

declare module 'fastify' {
  interface FastifyRequest {
    /** Claim in the token of a callback; null if the token is forged. */
    callbackClaim?: CallbackClaim | null;
  }
}

interface CallbackRoute {
  Params: { readonly engine: string; readonly token: string };
}

/**
 * Adds the routes that upstreams call when an order has ended. Every token of the right form gets the same answer,
 * whatever the call leads to. Bodies are only read to check signatures.
 * @param takeTurn holds back requests without a key
 */
export async function callbackRoutes(
  app: App,
  callbacks: CallbackReceiver,
  http: Pick<ServingKernel['http'], 'bodies'>,
  takeTurn: onRequestHookHandler,
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.addHook('onClose', () => callbacks.settled());
    scope.post<CallbackRoute>(
      '/callbacks/:engine/:token',
      { bodyLimit: MAX_BODY_BYTES, schema: { hide: true }, onRequest: [readToken, holdBackForged] },
      async ({ callbackClaim: claim, headers, body }) => {
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        if (claim) callbacks.receive(claim, { headers, body: bytes });
        return {};
      },
    );
  });

  async function readToken(request: FastifyRequest<CallbackRoute>): Promise<void> {
    const claim = callbacks.verify(request.params.engine, request.params.token);
    // The address itself is not repeated.
    if (claim === 'malformed') throw new ServiceError('not_found', 'Nothing exists here.');
    request.callbackClaim = claim === 'forged' ? null : claim;
    if (claim === 'forged' || !callbacks.isFull) return;
    const message = 'Too many callbacks arrive at the same time. Call again later.';
    throw new ServiceError('rate_limited', message, { retryAfterSeconds: FULL_FOR_SECONDS });
  }

  function holdBackForged(
    this: App,
    request: FastifyRequest<CallbackRoute>,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void {
    if (request.callbackClaim !== null) {
      done();
      return;
    }
    takeTurn.call(this, request, reply, (error) => {
      if (error !== undefined) {
        done(error);
        return;
      }
      if (!request.raw.complete) http.bodies.discard(request);
      void reply.code(200).send({});
    });
  }
}
