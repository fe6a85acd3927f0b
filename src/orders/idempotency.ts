import { ServiceError } from '@darkroom-service/contract';
import { DeferUnit } from '@darkroom-service/store';
import type { Session, Transaction } from '../database/database.ts';
import { ERASED, EXPIRED, expiredKey } from '../database/deeds.ts';
import { prepare, prepareSharedSelect } from '../database/prepared.ts';

/** An `Idempotency-Key` of a caller, with the request to which it is bound. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  readonly fingerprint: string;
}

interface Claimed {
  scope: string;
  fingerprint: string;
  subject_id: string;
}

/** Finds the row of a key, or the hash that replaces it: the replacement is one commit. */
const selectClaim = prepareSharedSelect<{ scope: string; key: string; hash: string }, Claimed, 'idempotency'>(
  'idempotency_select',
  { scope: 'text', key: 'text', hash: 'text' },
  (builder, argument) =>
    builder
      .selectFrom('idempotency')
      .select(['scope', 'fingerprint', 'subject_id'])
      .where(({ or, and, eb }) =>
        or([
          and([eb('scope', '=', argument('scope')), eb('idempotency_key', '=', argument('key'))]),
          and([eb('scope', '=', EXPIRED), eb('idempotency_key', '=', argument('hash'))]),
        ]),
      ),
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
 * Returns the id of the earlier result of this key; null if the key is new.
 * @throws ServiceError `idempotency_key_reused` if it came with another body or path; `task_expired`
 */
export async function findClaimed(session: Session, claim: IdempotencyClaim): Promise<string | null> {
  return subjectOf(claim, await session.first(selectClaim.one, argumentsOf(claim)));
}

const argumentsOf = ({ scope, key }: IdempotencyClaim) => ({ scope, key, hash: expiredKey({ scope, key }).key });

function subjectOf(claim: IdempotencyClaim, row: Claimed | undefined): string | null {
  if (row === undefined) return null;
  if (row.scope === EXPIRED)
    throw new ServiceError(
      'task_expired',
      `The task of this Idempotency-Key was ${row.subject_id === ERASED ? 'erased' : 'removed because of its age'}. Send a new key for a new order.`,
      { param: 'Idempotency-Key' },
    );
  if (row.fingerprint === claim.fingerprint) return row.subject_id;
  throw new ServiceError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body or path. Repeat the original request to get its task, or send a new key for a new order.',
    { param: 'Idempotency-Key' },
  );
}

/**
 * Claims an Idempotency-Key inside the transaction that binds it. Of two orders of one group with the same key, the
 * second waits for the next group, where it finds the first.
 */
export async function claimWithin(trx: Transaction, claim: IdempotencyClaim): Promise<string | null> {
  const known = subjectOf(claim, await trx.firstShared(selectClaim, argumentsOf(claim)));
  if (known !== null) return known;
  const claimed = trx.once('claimed', () => new Set<string>());
  const name = `${claim.scope} ${claim.key}`;
  if (claimed.has(name)) throw new DeferUnit(`the group holds the Idempotency-Key ${claim.key} already`);
  claimed.add(name);
  return null;
}

/** Binds a key, in the transaction that creates its result. */
export function bindClaim(trx: Transaction, claim: IdempotencyClaim, subjectId: string): void {
  trx.send(insertClaim, {
    scope: claim.scope,
    key: claim.key,
    fingerprint: claim.fingerprint,
    subject: subjectId,
  });
}
