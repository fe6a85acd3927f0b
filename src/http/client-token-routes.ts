import { isoTime } from '../base/clock.ts';
import { parseMicros } from '../base/money.ts';
import { ClientToken, DEFAULT_TOKEN_SECONDS, NewClientToken } from '../wire/client-token.ts';
import { refTo } from '../wire/parts.ts';
import { ErrorAnswer } from './answers.ts';
import { neverStore } from './connection/security-headers.ts';
import { readEndUserName } from './end-user-routes.ts';
import { envelopeOf, success } from './envelope.ts';
import type { App, HttpOptions } from './http-options.ts';

/** Issues tokens for programs of end users. */
export function clientTokenRoutes(v1: App, { services, keyring }: HttpOptions): void {
  v1.post(
    '/v1/client_tokens',
    {
      preHandler: neverStore,
      schema: {
        tags: ['End users'],
        body: NewClientToken,
        response: { 201: envelopeOf(refTo(ClientToken), 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const { end_user, models = [], max_price: maxPrice = null, rpm = 0, origins = [], expires_in } = request.body;
      const expiresAt = services.clock.now() + (expires_in ?? DEFAULT_TOKEN_SECONDS) * 1000;
      const token = await keyring.issueClientToken(request.headers.authorization, {
        endUser: readEndUserName(end_user),
        models,
        maxPrice: maxPrice === null ? null : parseMicros(maxPrice),
        createsPerMinute: rpm,
        origins: origins.map((origin) => origin.toLowerCase()),
        expiresAt,
      });
      reply.code(201);
      return success({ token, expires_at: isoTime(expiresAt) }, 201);
    },
  );
}
