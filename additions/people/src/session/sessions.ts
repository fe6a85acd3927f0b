import { world } from '@darkroom-service/contract';
import type { Schema, Session, Transaction } from '@darkroom-service/darkroom/kernel';
import { hashSecret } from '@darkroom-service/darkroom/kernel-accounts';
import type { Selectable } from 'kysely';
import { endBearers } from './person-keys.ts';

/** Time without use after which a session ends, in milliseconds. */
export const IDLE_MS = 12 * 3_600_000;
/** Longest duration of a session, however active: 7 days in milliseconds. */
export const LONGEST_MS = 7 * 86_400_000;
const SECRET = /^dps_[\w-]{43}$/;

export type SessionRow = Selectable<Schema['person_sessions']>;

/** Makes the secret of a session, which the cookie of a browser or the file of a command line contains. */
export function newSessionSecret(): { readonly secret: string; readonly hash: string } {
  const secret = `dps_${Buffer.from(world.randomBytes(32)).toString('base64url')}`;
  return { secret, hash: hashSecret(secret) };
}

/** Opens a session. Ended sessions of anybody are removed with their tokens. */
export async function insertSession(
  trx: Transaction,
  session: Omit<SessionRow, 'created_at' | 'seen_at' | 'checking_until' | 'expires_at'>,
  now: number,
  expiresAt = now + LONGEST_MS,
): Promise<void> {
  await trx.run(
    trx.builder
      .deleteFrom('person_sessions')
      .where((one) => one.or([one('expires_at', '<=', now), one('seen_at', '<=', now - IDLE_MS)])),
  );
  await trx.run(
    trx.builder.insertInto('person_sessions').values({
      ...session,
      created_at: now,
      seen_at: now,
      checking_until: 0,
      expires_at: expiresAt,
    }),
  );
}

/** Returns the session of a secret; null if it is unknown, ended or too old. */
export async function findSession(session: Session, secret: string | null, now: number): Promise<SessionRow | null> {
  if (secret === null || !SECRET.test(secret)) return null;
  const row = await session.first(
    session.builder.selectFrom('person_sessions').selectAll().where('hash', '=', hashSecret(secret)),
  );
  return row !== undefined && now < endOf(row) ? row : null;
}

/** Returns the time when a session ends unless it is used again; milliseconds since 1970. */
export function endOf({ expires_at, seen_at }: Pick<SessionRow, 'expires_at' | 'seen_at'>): number {
  return Math.min(expires_at, seen_at + IDLE_MS);
}

export async function endSession(trx: Transaction, { id, person_id }: Pick<SessionRow, 'id' | 'person_id'>) {
  await trx.run(trx.builder.deleteFrom('person_sessions').where('id', '=', id));
  await endBearers(trx, person_id, null);
}

/** Ends all sessions of a person. @returns the number of sessions */
export async function endSessionsOf(trx: Transaction, personId: string): Promise<number> {
  const { builder } = trx;
  const rows = await trx.all(builder.selectFrom('person_sessions').select('id').where('person_id', '=', personId));
  await trx.run(builder.deleteFrom('person_sessions').where('person_id', '=', personId));
  await endBearers(trx, personId, null);
  return rows.length;
}
