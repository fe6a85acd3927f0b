import type { Selectable } from 'kysely';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

/** The limits of a key that a settlement needs. */
export interface KeyLimits {
  /** Slots of the key; 0 = no limit. */
  readonly concurrency: number;
  /** Whether the key has a limit of its spending. */
  readonly isLimited: boolean;
}

type Row = Pick<Selectable<Schema['api_keys']>, 'concurrency' | 'spend_day' | 'spend_month' | 'spend_total'>;

const selectLimits = prepare<{ id: string }, Row>('settle_limits', (builder, argument) =>
  builder
    .selectFrom('api_keys')
    .select(['concurrency', 'spend_day', 'spend_month', 'spend_total'])
    .where('id', '=', argument('id')),
);

/** By key. */
type Known = Map<string, Promise<KeyLimits>>;

const knownIn = (trx: Transaction): Known => trx.once<Known>('limits_of_keys', () => new Map());

/** Returns the limits of a key, which a transaction reads once: the settlements of a busy key share it. */
export function limitsOf(trx: Transaction, keyId: string): Promise<KeyLimits> {
  const known = knownIn(trx);
  const reading = known.get(keyId) ?? readLimits(trx, keyId);
  known.set(keyId, reading);
  return reading;
}

/** Makes the following units of the group read the limits of a key again. Call it in a unit that has changed them. */
export function forgetLimits(trx: Transaction, keyId: string): void {
  knownIn(trx).delete(keyId);
}

async function readLimits(trx: Transaction, keyId: string): Promise<KeyLimits> {
  const row = await trx.first(selectLimits, { id: keyId });
  if (row === undefined) return { concurrency: 0, isLimited: false };
  const { concurrency, spend_day, spend_month, spend_total } = row;
  return { concurrency, isLimited: spend_day !== null || spend_month !== null || spend_total !== null };
}
