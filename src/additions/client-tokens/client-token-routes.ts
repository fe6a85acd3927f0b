import { isoTime, parseMicros } from '@darkroom-service/contract';
import { refTo } from '@darkroom-service/contract/parts';
import {
  ActionHeaders,
  ClientToken,
  DEFAULT_TOKEN_SECONDS,
  ErrorAnswer,
  envelopeOf,
  NewClientToken,
  success,
} from '@darkroom-service/contract/schemas';
import type { ServingKernel } from '../../kernel.ts';
import type { App } from '../../kernel-http.ts';

/** Issues tokens for programs of end users. */
export function clientTokenRoutes(v1: App, { accounts, clock, http }: ServingKernel): void {
  v1.post(
    '/v1/client_tokens',
    {
      preHandler: http.answers.neverStore,
      schema: {
        tags: ['End users'],
        headers: ActionHeaders,
        body: NewClientToken,
        response: { 201: envelopeOf(refTo(ClientToken), 201), ...ErrorAnswer },
      },
    },
    async (request, reply) => {
      const { end_user, models, data, max_price: maxPrice = null, rpm = 0, origins, expires_in } = request.body;
      const expiresAt = clock.now() + (expires_in ?? DEFAULT_TOKEN_SECONDS) * 1000;
      const grant = {
        endUser: accounts.readEndUser(end_user),
        models: listOf(models),
        ...(data === undefined ? {} : { fields: { data } }),
        maxPrice: maxPrice === null ? null : parseMicros(maxPrice),
        createsPerMinute: rpm,
        origins: listOf(origins?.map((origin) => origin.toLowerCase())),
      };
      // Only the end of a token is stored, so that a repetition writes the same token.
      const until = await http.once(request, reply, {
        make: (binding) => binding.around(String(expiresAt), async () => expiresAt),
        again: async (subject) => Number(subject),
      });
      const token = await http.keys.issueGrant(request.headers.authorization, { ...grant, expiresAt: until });
      reply.code(201);
      return success({ token, expires_at: isoTime(until) }, 201);
    },
  );
}

/**
 * Returns a list for a token. An empty list means all, as it always did; an empty entry equals no model and no origin.
 */
function listOf(entries: readonly string[] | undefined): readonly string[] {
  return entries?.length === 0 ? [''] : (entries ?? []);
}
