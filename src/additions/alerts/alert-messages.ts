import { type Selectable, sql } from 'kysely';
import type { Session, Transaction } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';

export type AlertMessage = Selectable<Schema['alert_messages']>;

/** Longer than an attempt may take, so that no two processes make the same attempt. */
export const MESSAGE_LEASE_MS = 30_000;
const AT_ONCE = 4;
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Returns in how many milliseconds the next attempt is due, by the database's clock; null = nothing is waiting. */
export async function nextMessageInMs(session: Session): Promise<number | null> {
  const row = await session.first(
    session.builder
      .selectFrom('alert_messages')
      .select([(expression) => expression.fn.min<number | null>('next_at').as('at'), session.now.as('now')])
      .where('next_at', 'is not', null),
  );
  return row === undefined || row.at === null ? null : row.at - row.now;
}

/** Claims due messages. The messages of one alert are sent in their order. */
export async function claimMessages(trx: Transaction, leaseMs: number): Promise<AlertMessage[]> {
  await trx.lock('alert messages');
  const due = trx.builder
    .selectFrom('alert_messages as due')
    .select('due.id')
    .where('due.next_at', '<=', trx.now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_messages as earlier')
            .select('earlier.id')
            .whereRef('earlier.alert_id', '=', 'due.alert_id')
            .whereRef('earlier.id', '<', 'due.id')
            .where('earlier.next_at', 'is not', null),
        ),
      ),
    )
    .orderBy('due.next_at')
    .limit(AT_ONCE);
  return await trx.all(
    trx.builder
      .updateTable('alert_messages')
      .set((expression) => ({
        attempts: expression('attempts', '+', 1),
        next_at: sql<number>`${trx.now} + ${sql.lit(leaseMs)}`,
      }))
      .where('id', 'in', due)
      .returningAll(),
  );
}

/** Records an attempt, unless another process has made the next one meanwhile. */
export async function finishMessage(
  trx: Transaction,
  message: AlertMessage,
  outcome: { readonly error: string | null; readonly now: number; readonly nextInMs: number | null },
): Promise<void> {
  const { error, now, nextInMs } = outcome;
  await trx.run(
    trx.builder
      .updateTable('alert_messages')
      .set({
        error,
        delivered_at: error === null ? now : null,
        next_at: nextInMs === null ? null : sql<number>`${trx.now} + ${sql.lit(Math.round(nextInMs))}`,
      })
      .where('id', '=', message.id)
      .where('attempts', '=', message.attempts),
  );
}

/** Deletes what ended a month ago. */
export async function deleteOldAlerts(trx: Transaction, now: number): Promise<void> {
  await trx.run(trx.builder.deleteFrom('alert_messages').where('created_at', '<', now - KEPT_MS));
  await trx.run(trx.builder.deleteFrom('alerts').where('ended_at', '<', now - KEPT_MS));
}
