import { ServiceError, sleep } from '@darkroom-service/contract';
import { type Kernel, SealFault, type Vault } from '@darkroom-service/darkroom/kernel';
import { setGroupMemberships } from '../members/memberships.ts';
import type { ReadRoles } from '../members/read-roles.ts';
import type { Claims } from '../provider/claims.ts';
import type { Provider } from '../provider/provider.ts';
import { ProviderFault } from '../provider/provider-fault.ts';
import type { CheckTokens } from '../provider/signed-in.ts';
import { endSession, findSession, type SessionRow } from '../session/sessions.ts';

/** Time for which a check is valid, so that several tabs ask the provider once. */
const FRESH_MS = 60_000;
/** Maximum time for which one process may ask before another one does. */
const ASKING_MS = 60_000;
const LOOK_EVERY_MS = 250;

export interface CheckServices {
  readonly kernel: Pick<Kernel, 'clock' | 'log' | 'store'>;
  readonly provider: () => Promise<Provider>;
  /** Vault that seals this service's data at browsers and in the store. */
  readonly vault: () => Promise<Vault>;
  readonly readRoles: ReadRoles;
  /** Called when bearers end. */
  readonly forget: () => void;
}

export function sealTokens(vault: Vault, sessionId: string, tokens: CheckTokens): string {
  return vault.seal(JSON.stringify(tokens), `session ${sessionId}`);
}

/**
 * Makes sure, by an answer of the provider at most a minute old, that a session's person still has access. Ends the
 * session if not.
 * @returns the session afterwards; null = it has ended
 * @throws ServiceError `service_unavailable` if the provider does not answer
 */
export async function confirmAccess(
  parts: CheckServices,
  secret: string,
  found: SessionRow,
): Promise<SessionRow | null> {
  const { clock, store } = parts.kernel;
  for (let session: SessionRow | null = found; session !== null; ) {
    const now = clock.now();
    if (now - session.checked_at < FRESH_MS && session.checked_at <= now) return session;
    const current = await takeTurn(parts, session, now);
    if (current !== null) return await askProvider(parts, current);
    const later = await findSession(store.read, secret, clock.now());
    // It was asked meanwhile, or it is being asked.
    if (later?.checked_at === session.checked_at) await sleep(LOOK_EVERY_MS);
    session = await findSession(store.read, secret, clock.now());
  }
  return null;
}

/**
 * Claims the check of a session. A refresh token works once, so one process asks at a time.
 * @returns the current session, with the current tokens; null if another process asks, or has just asked
 */
async function takeTurn({ kernel }: CheckServices, known: SessionRow, now: number): Promise<SessionRow | null> {
  return await kernel.store.write('check_session', async (trx) => {
    const { builder } = trx;
    const row = await trx.first(
      builder.selectFrom('person_sessions').selectAll().where('id', '=', known.id).forUpdate(),
    );
    const isTaken = row !== undefined && now < row.checking_until && row.checking_until <= now + ASKING_MS;
    if (row === undefined || isTaken || row.checked_at !== known.checked_at) return null;
    const checking_until = now + ASKING_MS;
    await trx.run(builder.updateTable('person_sessions').set({ checking_until }).where('id', '=', row.id));
    return { ...row, checking_until };
  });
}

async function askProvider(parts: CheckServices, session: SessionRow): Promise<SessionRow | null> {
  const { clock, log, store } = parts.kernel;
  const provider = await parts.provider();
  const vault = await parts.vault();
  const askedAt = clock.now();
  const person = await store.read.first(
    store.read.builder.selectFrom('people').selectAll().where('id', '=', session.person_id),
  );
  try {
    const tokens = person === undefined ? null : openTokens(vault, session);
    const answer = tokens === null || person === undefined ? null : await provider.check(person.subject, tokens);
    const roles = answer === null ? null : parts.readRoles(answer.claims);
    if (answer === null || roles === null) {
      await store.write('end_session', (trx) => endSession(trx, session));
      parts.forget();
      return null;
    }
    const change = {
      checked_at: askedAt,
      checking_until: 0,
      tokens_sealed: sealTokens(vault, session.id, answer.tokens),
    };
    const changed = await store.write('confirm_session', async (trx) => {
      await trx.lock(`person:${session.person_id}`);
      await trx.run(trx.builder.updateTable('person_sessions').set(change).where('id', '=', session.id));
      await recordClaims(trx, session.person_id, answer.claims);
      return await setGroupMemberships(trx, session.person_id, roles, askedAt);
    });
    if (changed) parts.forget();
    return { ...session, ...change };
  } catch (error) {
    await store
      .write('leave_check', (trx) =>
        trx.run(trx.builder.updateTable('person_sessions').set({ checking_until: 0 }).where('id', '=', session.id)),
      )
      .catch(() => {});
    if (!(error instanceof ProviderFault)) throw error;
    log.warn({ err: error, person: session.person_id }, 'sign-in provider could not confirm a session');
    throw new ServiceError(
      'service_unavailable',
      'The sign-in provider does not answer, so your access cannot be confirmed. Try again in a moment, or use an API key.',
      { retryAfterSeconds: 10 },
    );
  }
}

/**
 * Opens the sealed tokens of a session; null if they were sealed with another secret, so that the person signs in
 * again.
 */
export function openTokens(vault: Vault, { id, tokens_sealed }: SessionRow): CheckTokens | null {
  try {
    return JSON.parse(vault.open(tokens_sealed, `session ${id}`)) as CheckTokens;
  } catch (error) {
    if (error instanceof SealFault) return null;
    throw error;
  }
}

/** Stores the name and the email as the provider has them now. */
async function recordClaims(
  trx: Parameters<typeof setGroupMemberships>[0],
  personId: string,
  { name, email }: Claims,
): Promise<void> {
  if (name === null && email === null) return;
  await trx.run(
    trx.builder
      .updateTable('people')
      .set({ ...(email === null ? {} : { email }), ...(name === null ? {} : { name }) })
      .where('id', '=', personId),
  );
}
