import { type Selectable, sql } from 'kysely';
import type { Session, Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

/**
 * A subject's use of a limit that all processes share, as one row. A reservation has no own row: the task or file that
 * took an amount returns it, in the transaction that ends it.
 */
export type Meter = Readonly<Omit<Selectable<Schema['meters']>, 'used'>>;

interface Addition extends Meter {
  readonly amount: number;
}

const UNLIMITED = Number.MAX_SAFE_INTEGER;

const insertAmount = prepare<Addition & { limit: number }, { used: number }>('meter_add', (builder, argument) =>
  builder
    .insertInto('meters')
    .values({
      subject: argument('subject'),
      kind: argument('kind'),
      period: argument('period'),
      used: argument('amount'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['subject', 'kind', 'period'])
        .doUpdateSet((expression) => ({ used: expression('meters.used', '+', expression.ref('excluded.used')) }))
        .where(sql<boolean>`meters.used + excluded.used <= ${argument('limit')}`),
    )
    .returning('used'),
);

const selectUsed = prepare<Meter, { used: number }>('meter_used', (builder, argument) =>
  builder
    .selectFrom('meters')
    .select('used')
    .where('subject', '=', argument('subject'))
    .where('kind', '=', argument('kind'))
    .where('period', '=', argument('period')),
);

const deleteBefore = prepare<Meter, unknown>('meter_delete_before', (builder, argument) =>
  builder
    .deleteFrom('meters')
    .where('subject', '=', argument('subject'))
    .where('kind', '=', argument('kind'))
    .where('period', '<', argument('period')),
);

/** Adds a checked amount, or returns one. */
export function add(trx: Transaction, meter: Meter, amount: number): void {
  trx.send(insertAmount, { ...meter, amount, limit: UNLIMITED });
}

/**
 * Adds an amount unless the limit would be exceeded.
 * @param amount at most the limit
 * @returns the used amount afterwards; null if nothing was added
 */
export async function take(trx: Transaction, meter: Meter, amount: number, limit: number): Promise<number | null> {
  return (await trx.first(insertAmount, { ...meter, amount, limit }))?.used ?? null;
}

/** Removes the rows of windows that sort before the meter's. */
export function dropBefore(trx: Transaction, meter: Meter): void {
  trx.send(deleteBefore, meter);
}

/** Returns the used amount as stored. */
export async function usedOf(session: Session, meter: Meter): Promise<number> {
  return (await session.first(selectUsed, meter))?.used ?? 0;
}
