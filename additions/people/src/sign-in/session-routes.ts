import { createHash } from 'node:crypto';
import { isoTime, OPERATORS, ServiceError, seesWholeAccount } from '@darkroom-service/contract';
import { closedObject, Nullable, SECRET_FIELD } from '@darkroom-service/contract/parts';
import { success } from '@darkroom-service/contract/schemas';
import type { Act } from '@darkroom-service/darkroom/kernel';
import { hashSecret } from '@darkroom-service/darkroom/kernel-accounts';
import type { App } from '@darkroom-service/darkroom/kernel-http';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { membershipsOf } from '../members/memberships.ts';
import type { PeopleParts } from '../people-parts.ts';
import { personKey } from '../session/person-keys.ts';
import { endOf, endSession, findSession, LONGEST_MS, newSessionSecret, type SessionRow } from '../session/sessions.ts';
import { codeHash } from './admit-person.ts';
import { confirmAccess, openTokens } from './check-access.ts';
import { requireOwnPage } from './own-page.ts';

/**
 * Lifetime of a bearer, counted from the provider's last confirmation, so that a person without access has none after
 * it.
 */
export const BEARER_MS = 5 * 60_000;
const Wanted = closedObject({
  account_id: Nullable(Type.String({ maxLength: 64 })),
  mode: Type.Enum(['live', 'test', 'admin']),
});
const Code = closedObject({
  code: Type.String({ minLength: 1, maxLength: 100, ...SECRET_FIELD }),
  verifier: Type.String({ minLength: 43, maxLength: 128, ...SECRET_FIELD }),
});

/** Serves the session of a browser or a command line: its person, and the bearer for which it is traded. */
export function sessionRoutes(app: App, parts: PeopleParts): void {
  const { kernel, options, cookies, isOn } = parts;
  const { publicUrl, keyring } = options;
  const { accounts, clock, http, log, store } = kernel;
  const hidden = { preHandler: http.answers.neverStore, schema: { hide: true } } as const;

  app.get('/console/session', hidden, async (request) => {
    const sign_in_url = isOn ? `${publicUrl}/console/sign-in` : null;
    const session = isOn ? await sessionOf(request) : null;
    if (session === null) return success({ sign_in_url, person: null });
    const { read } = store;
    const person = await read.first(
      read.builder.selectFrom('people').select(['id', 'name', 'email']).where('id', '=', session.person_id),
    );
    const memberships = await membershipsOf(read, session.person_id);
    const shown = await Promise.all(
      memberships.map(async ({ accountId, role }) => ({
        account_id: accountId === OPERATORS ? null : accountId,
        name: accountId === OPERATORS ? null : await accountName(accountId),
        role,
      })),
    );
    return success({
      sign_in_url,
      person: {
        person_id: session.person_id,
        name: person?.name ?? '',
        email: person?.email ?? null,
        memberships: shown,
        expires_at: isoTime(endOf(session)),
      },
    });
  });

  app.post(
    '/console/session/bearer',
    { preHandler: http.answers.neverStore, schema: { hide: true, body: Wanted } },
    async (request, reply) => {
      requireOwnPage(request, publicUrl);
      const secret = cookies.read(request, 'session');
      const found = await sessionOf(request);
      const session = found === null || secret === null ? null : await confirmAccess(parts, secret, found);
      if (session === null) {
        cookies.set(reply, 'session', '', 0);
        throw signedOut();
      }
      const accountId = request.body.account_id ?? OPERATORS;
      const { mode } = request.body;
      const membership = (await membershipsOf(store.read, session.person_id)).find(
        (one) => one.accountId === accountId,
      );
      if (membership === undefined || (mode === 'admin') !== (accountId === OPERATORS))
        throw new ServiceError('forbidden', 'You have no role there.', { param: 'account_id' });
      const { role } = membership;
      const key = await personKey(kernel, { personId: session.person_id, accountId, mode });
      const now = clock.now();
      const end = Math.min(session.checked_at + BEARER_MS, session.expires_at);
      const token = keyring.issuePersonToken(key, {
        endUser: session.person_id,
        person: { id: session.person_id, role, accountView: seesWholeAccount(role) },
        models: [],
        maxPrice: null,
        createsPerMinute: 0,
        origins: [],
        expiresAt: end,
      });
      await store.write('use_session', (trx) =>
        trx.run(trx.builder.updateTable('person_sessions').set({ seen_at: now }).where('id', '=', session.id)),
      );
      return success({
        token,
        key_id: key.id,
        expires_at: isoTime(end),
        expires_in: Math.floor((end - now) / 1000),
        account_id: request.body.account_id,
        mode,
        role,
      });
    },
  );

  app.post('/console/session/end', hidden, async (request, reply) => {
    requireOwnPage(request, publicUrl);
    const session = await sessionOf(request);
    cookies.set(reply, 'session', '', 0);
    if (session !== null) {
      await store.write('sign_out', async (trx) => {
        const { person_id: id } = session;
        const person = await trx.first(trx.builder.selectFrom('people').select('name').where('id', '=', id));
        const actor = { id, name: person?.name ?? null, kind: 'person' } as const;
        const by: Act = { actor, address: request.clientAddress, now: clock.now(), createId: store.createId };
        await endSession(trx, session);
        await accounts.record(trx, by, { act: 'person.sign_out', target: session.id, detail: { by: 'person' } });
      });
      keyring.forget();
    }
    const signOutUrl = session?.kind === 'console' ? await signOutUrlOf(session) : null;
    return success({ signed_out: true, sign_out_url: signOutUrl });
  });

  app.post(
    '/console/session/command-line',
    { preHandler: http.answers.neverStore, schema: { hide: true, body: Code } },
    async (request) => {
      const { code, verifier } = request.body;
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const { secret, hash } = newSessionSecret();
      const now = clock.now();
      // The code is the secret of a session that nobody else can find, and becomes another one.
      const taken = await store.write('take_code', (trx) =>
        trx.run(
          trx.builder
            .updateTable('person_sessions')
            .set({ hash, expires_at: now + LONGEST_MS })
            .where('hash', '=', codeHash(hashSecret(code), challenge))
            .where('expires_at', '>', now),
        ),
      );
      if (taken === 0)
        throw new ServiceError('forbidden', 'The code was used already, or has expired. Run "darkroom login" again.');
      return success({ session: secret, expires_at: isoTime(now + LONGEST_MS) });
    },
  );

  async function sessionOf(request: FastifyRequest): Promise<SessionRow | null> {
    return await findSession(store.read, cookies.read(request, 'session'), clock.now());
  }

  /** Returns the provider's page that ends its session too; null if it has none, or does not answer. */
  async function signOutUrlOf(session: SessionRow): Promise<string | null> {
    try {
      const tokens = openTokens(await parts.vault(), session);
      return tokens === null ? null : await (await parts.provider()).signOutUrl(tokens);
    } catch (error) {
      log.warn({ err: error }, 'sign-in provider did not answer at a sign-out');
      return null;
    }
  }

  async function accountName(accountId: string): Promise<string> {
    const { read } = store;
    const row = await read.first(read.builder.selectFrom('accounts').select('name').where('id', '=', accountId));
    return row?.name ?? accountId;
  }
}

function signedOut(): ServiceError {
  return new ServiceError('invalid_api_key', 'You are signed out. Sign in again.');
}
