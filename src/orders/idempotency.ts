import { ServiceError } from '../base/errors.ts';
import { DeferUnit, type Session, type Transaction } from '../database/database.ts';
import { prepareSharedSelect } from '../database/prepare-shared.ts';
import { prepare } from '../database/prepared.ts';

/** An `Idempotency-Key` of a caller, with what it was sent with. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
}

interface Claimed {
  fingerprint: string;
  subject_id: string;
}

const selectClaim = prepareSharedSelect<{ scope: string; key: string }, Claimed, 'idempotency'>(
  'idempotency_select',
  { scope: 'text', key: 'text' },
  (builder, argument) =>
    builder
      .selectFrom('idempotency')
      .select(['fingerprint', 'subject_id'])
      .where('scope', '=', argument('scope'))
      .where('idempotency_key', '=', argument('key')),
);

const insertClaim = prepare<{ scope: string; key: string; fingerprint: string; subject: string }, unknown>(
  'idempotency_insert',
  (builder, argument) =>
    builder.insertInto('idempotency').values({
      scope: argument('scope'),
      idempotency_key: argument('key'),
      fingerprint: argument('fingerprint'),
      subject_id: argument('subject'),
    }),
);

/**
 * Returns the id of what this key made before; null if the key is new.
 * @throws ServiceError `idempotency_key_reused` when it came with another body or path.
 */
export async function findClaimed(session: Session, claim: IdempotencyClaim): Promise<string | null> {
  return subjectOf(claim, await session.first(selectClaim.one, { scope: claim.scope, key: claim.key }));
}

function subjectOf(claim: IdempotencyClaim, row: Claimed | undefined): string | null {
  if (row === undefined) return null;
  if (row.fingerprint === claim.fingerprint) return row.subject_id;
  throw new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body or path. Repeat the original request to get its task, or send a new key for a new order.',
    { param: 'Idempotency-Key' },
  );
}

/**
 * The same inside the transaction that binds a new key. Of two orders of one group with the same key the second waits
 * for the next group, where it finds the first.
 */
export async function claimWithin(trx: Transaction, claim: IdempotencyClaim): Promise<string | null> {
  const known = subjectOf(claim, await trx.firstShared(selectClaim, { scope: claim.scope, key: claim.key }));
  if (known !== null) return known;
  const claimed = trx.once('claimed', () => new Set<string>());
  const name = `${claim.scope} ${claim.key}`;
  if (claimed.has(name)) throw new DeferUnit(`the group holds the Idempotency-Key ${claim.key} already`);
  claimed.add(name);
  return null;
}

/** Binds a key, in the transaction that makes what it stands for. */
export function bindClaim(trx: Transaction, claim: IdempotencyClaim, subjectId: string): void {
  trx.send(insertClaim, {
    scope: claim.scope,
    key: claim.key,
    fingerprint: claim.fingerprint,
    subject: subjectId,
  });
}
