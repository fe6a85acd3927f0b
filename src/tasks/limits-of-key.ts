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

/** The columns of a key that say its limits. */
export const LIMIT_COLUMNS = ['concurrency', 'spend_day', 'spend_month', 'spend_total'] as const;
type Row = Pick<Selectable<Schema['api_keys']>, (typeof LIMIT_COLUMNS)[number]>;

const selectLimits = prepare<{ id: string }, Row>('settle_limits', (builder, argument) =>
  builder.selectFrom('api_keys').select(LIMIT_COLUMNS).where('id', '=', argument('id')),
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
  return limitsIn((await trx.first(selectLimits, { id: keyId })) ?? {});
}

/** Reads the limits of a key from its row; of a key that is gone, all columns are null or missing. */
export function limitsIn(row: { readonly [Column in keyof Row]?: Row[Column] | null }): KeyLimits {
  const { concurrency, spend_day = null, spend_month = null, spend_total = null } = row;
  return {
    concurrency: concurrency ?? 0,
    isLimited: spend_day !== null || spend_month !== null || spend_total !== null,
  };
}
