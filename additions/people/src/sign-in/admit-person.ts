import { cutText, ServiceError } from '@darkroom-service/contract';
import type { Act, Transaction } from '@darkroom-service/darkroom/kernel';
import { acceptInvitation } from '../members/invitations.ts';
import { type Membership, membershipsOf, setGroupMemberships } from '../members/memberships.ts';
import type { PeopleParts } from '../people-parts.ts';
import { whyUnverified } from '../provider/claims.ts';
import { issuerForms } from '../provider/issuers.ts';
import type { SignedIn } from '../provider/signed-in.ts';
import { insertSession, newSessionSecret } from '../session/sessions.ts';
import { sealTokens } from './check-access.ts';
import type { VouchedFor } from './sign-in-state.ts';

/** Lifetime of the code on the page that signs in a command line, in milliseconds. */
export const CODE_MS = 120_000;
const MOST_GROUPS_TOLD = 20;

interface Admission {
  /** Token of an invitation that the person has accepted; null = none. */
  readonly invitation: string | null;
  /** PKCE challenge of a command line; null = a browser. */
  readonly challenge: string | null;
}

/**
 * Admits a person whom the provider vouches for: stores the person, the roles of their groups and of an invitation, and
 * opens a session. Nothing is stored about somebody without a role.
 * @returns the secret of the session, or the code that a command line trades for one
 * @throws ServiceError `forbidden`
 */
export async function admitPerson(
  parts: PeopleParts,
  { signedIn, at }: Omit<VouchedFor, 'state'>,
  { invitation, challenge }: Admission,
): Promise<{ readonly secret: string; readonly name: string }> {
  const { kernel, provider, vault, forget } = parts;
  const { accounts, clock, log, store } = kernel;
  const { createId } = store;
  const roles = rolesOf(parts, signedIn);
  const { issuer } = await provider();
  const now = clock.now();
  notifyOtherGroups(parts, signedIn.groups);
  const { secret, hash } = newSessionSecret();
  const sessionId = createId('pss');
  const sealed = sealTokens(await vault(), sessionId, signedIn.tokens);
  const name = nameOf(signedIn);
  await store.write('admit_person', async (trx) => {
    const personId = await keepPerson(trx, { ...signedIn, issuer, name }, createId('psn'), now);
    const by: Act = { actor: { id: personId, name, kind: 'person' }, now, createId };
    await setGroupMemberships(trx, personId, roles, now);
    if (invitation !== null) await acceptInvitation(trx, by, invitation, signedIn);
    if ((await membershipsOf(trx, personId)).length === 0)
      throw new ServiceError(
        'forbidden',
        `${signedIn.email ?? name} has no role here. Ask a manager of your account for an invitation.`,
      );
    const kind = challenge === null ? 'console' : 'cli';
    await insertSession(
      trx,
      {
        id: sessionId,
        person_id: personId,
        kind,
        provider_session: signedIn.sid,
        hash: challenge === null ? hash : codeHash(hash, challenge),
        tokens_sealed: sealed,
        checked_at: at,
      },
      now,
      challenge === null ? undefined : now + CODE_MS,
    );
    await accounts.record(trx, by, {
      act: 'person.sign_in',
      target: sessionId,
      detail: { kind, name, email: signedIn.email },
    });
  });
  forget();
  log.info({ session: sessionId }, 'person signed in');
  return { secret, name };
}

/** Logs the group names that the provider sends, since the operator cannot see them elsewhere. */
function notifyOtherGroups(
  { kernel: { log }, rules, groupsClaim: claim }: PeopleParts,
  groups: readonly string[],
): void {
  const others = groups.filter((name) => !rules.some(({ group }) => group === name));
  if (others.length > 0) {
    const shown = others.slice(0, MOST_GROUPS_TOLD).map((name) => cutText(name, 100));
    log.info({ claim, count: others.length, groups: shown }, 'sign-in has groups without a rule');
  } else if (groups.length === 0 && rules.length > 0) log.info({ claim }, 'sign-in has no groups');
}

/** Returns the memberships by groups. @throws ServiceError `forbidden` to those who may not sign in at all */
export function rolesOf({ readRoles }: PeopleParts, signedIn: SignedIn): readonly Membership[] {
  const roles = readRoles(signedIn);
  if (roles !== null) return roles;
  const why = whyUnverified(signedIn) ?? 'Yours is of another domain. Use your work account.';
  throw new ServiceError('forbidden', `Sign-in needs a verified email address of the domains of this service. ${why}`);
}

export function nameOf({ name, email, subject }: SignedIn): string {
  return cutText(name ?? email ?? subject, 100);
}

/**
 * Returns the hash of a command line's code, which is found only together with the challenge of the process that asked
 * for it.
 */
export function codeHash(hash: string, challenge: string): string {
  return `${hash}.${challenge}`;
}

/** Stores the person. The issuer and the subject name a person; the email may change, and pass to somebody else. */
async function keepPerson(
  trx: Transaction,
  { issuer, subject, email, name }: SignedIn & { readonly issuer: string; readonly name: string },
  newId: string,
  now: number,
): Promise<string> {
  const { builder } = trx;
  await trx.lock(`person:${issuer} ${subject}`);
  const known = await trx.first(
    builder.selectFrom('people').select('id').where('issuer', 'in', issuerForms(issuer)).where('subject', '=', subject),
  );
  if (known !== undefined) {
    await trx.run(builder.updateTable('people').set({ email, name, signed_in_at: now }).where('id', '=', known.id));
    return known.id;
  }
  const row = { id: newId, issuer, subject, email, name, created_at: now, signed_in_at: now };
  await trx.run(builder.insertInto('people').values(row));
  return newId;
}
