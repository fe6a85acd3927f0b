import { isoTime } from '@darkroom-service/contract';
import type { Act, Kernel, Session } from '@darkroom-service/darkroom/kernel';
import { PERSON_KEY } from '@darkroom-service/darkroom/kernel-accounts';
import type { KnownKeyView } from '../people-wire.ts';

/** Acts that show a secret to their actor. */
const SHOWING = ['key.create', 'key.rotate'];

/**
 * Lists the valid API keys whose secret a person was shown, by the audit log. They stay valid when the person is
 * removed.
 * @param accountId the live and test keys of this account; null = all keys
 */
export async function keysKnownTo(
  session: Session,
  personId: string,
  accountId: string | null,
  now: number,
): Promise<KnownKeyView[]> {
  const own = session.builder
    .selectFrom('audit_log')
    .select('target')
    .where('actor', '=', personId)
    .where('act', 'in', SHOWING);
  let select = session.builder
    .selectFrom('api_keys')
    .select(['id', 'account_id', 'mode', 'name', 'created_at', 'previous_until'])
    .where('id', 'in', own.$castTo<string>())
    .where('id', 'not like', `${PERSON_KEY}_%`)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('id');
  if (accountId !== null) select = select.where('account_id', '=', accountId).where('mode', '<>', 'admin');
  const known: KnownKeyView[] = [];
  for (const { id, previous_until: until, created_at: at, ...key } of await session.all(select)) {
    // During the grace of a rotation the previous secret is valid, too.
    const secrets = until !== null && now < until ? 2 : 1;
    const shown = await session.all(
      session.builder
        .selectFrom('audit_log')
        .select('actor')
        .where('target', '=', id)
        .where('act', 'in', SHOWING)
        .orderBy('id', 'desc')
        .limit(secrets),
    );
    if (shown.some(({ actor }) => actor === personId))
      known.push({ key_id: id, ...key, created_at: isoTime(at), revoked_at: null });
  }
  return known;
}

/** Revokes the keys that a person has seen, if requested. @returns all of them in their current state */
export async function endKnownKeys(
  keys: Pick<Kernel['keys'], 'revoke'>,
  by: Act,
  known: readonly KnownKeyView[],
  isWanted: boolean,
): Promise<KnownKeyView[]> {
  const ended: KnownKeyView[] = [];
  for (const key of known) {
    const revoked = isWanted ? await keys.revoke(by, key.key_id) : key;
    ended.push({ ...key, revoked_at: revoked.revoked_at });
  }
  return ended;
}
