import { hash } from 'node:crypto';
import { ServiceError } from '@darkroom-service/contract';
import type { Act, Transaction } from '@darkroom-service/darkroom/kernel';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { PeopleParts } from '../people-parts.ts';
import { issuerForms } from '../provider/issuers.ts';
import { ProviderFault } from '../provider/provider-fault.ts';
import { endSession } from '../session/sessions.ts';
import { fieldOf } from './forms.ts';

/** Time for which a token is remembered; longer than any token is valid. */
const REMEMBERED_MS = 30 * 86_400_000;

/** Ends sessions on the provider's request (OpenID Connect Back-Channel Logout 1.0). */
export function backChannelRoutes(app: App, { kernel, provider, forget }: PeopleParts): void {
  app.post('/console/back-channel-logout', { schema: { hide: true } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = fieldOf(request, 'logout_token');
    if (token === null)
      throw new ServiceError('invalid_request', 'Expected a form with a logout_token.', { param: 'logout_token' });
    const opened = await provider();
    const { subject, sid, id } = await opened.readLogout(token).catch((error: unknown) => {
      if (!(error instanceof ProviderFault) || error.kind === 'away') throw unanswered();
      throw new ServiceError('invalid_request', 'The logout token did not pass its checks.', { param: 'logout_token' });
    });
    const { accounts, clock, log, store } = kernel;
    const ended = await store.write('back_channel_logout', async (trx) => {
      // A repeated token, from anybody who has seen it, ends no session that began since.
      if (id !== null && !(await takeOnce(trx, `${opened.issuer} ${id}`, clock.now()))) return 0;
      let query = trx.builder
        .selectFrom('person_sessions')
        .innerJoin('people', 'people.id', 'person_sessions.person_id')
        .select(['person_sessions.id', 'person_id', 'people.name'])
        .where('issuer', 'in', issuerForms(opened.issuer));
      if (sid !== null) query = query.where('provider_session', '=', sid);
      if (subject !== null) query = query.where('subject', '=', subject);
      const sessions = await trx.all(query);
      for (const session of sessions) {
        const actor = { id: session.person_id, name: session.name, kind: 'person' } as const;
        const by: Act = { actor, now: clock.now(), createId: store.createId };
        await endSession(trx, session);
        await accounts.record(trx, by, { act: 'person.sign_out', target: session.id, detail: { by: 'provider' } });
      }
      return sessions.length;
    });
    forget();
    log.info({ sessions: ended }, 'sign-in provider ended sessions');
    return await reply.code(200).send();
  });
}

/** Returns whether a token is new, and remembers it. */
async function takeOnce(trx: Transaction, name: string, now: number): Promise<boolean> {
  const row = { scope: 'logout', idempotency_key: hash('sha256', name, 'base64url'), fingerprint: '', subject_id: '' };
  const taken = await trx.run(
    trx.builder
      .insertInto('idempotency')
      .values({ ...row, expires_at: now + REMEMBERED_MS })
      .onConflict((conflict) => conflict.columns(['scope', 'idempotency_key']).doNothing()),
  );
  return taken > 0;
}

function unanswered(): ServiceError {
  return new ServiceError(
    'service_unavailable',
    'The sign-in provider does not answer, so its token cannot be checked.',
    {
      retryAfterSeconds: 10,
    },
  );
}
