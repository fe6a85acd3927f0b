import type { Claim, Schema, Session, Transaction } from '@darkroom-service/darkroom/kernel';
import { endWork, releaseWork, renewWork } from '@darkroom-service/store';
import type { Selectable } from 'kysely';

type AlertMessage = Selectable<Schema['alert_messages']>;

const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Returns the oldest unsent message of an alert. */
export async function nextMessage(session: Session, alertId: string): Promise<AlertMessage | undefined> {
  return await session.first(
    session.builder
      .selectFrom('alert_messages')
      .selectAll()
      .where('alert_id', '=', alertId)
      .where('status', '=', 'pending')
      .orderBy('id')
      .limit(1),
  );
}

/**
 * Records an attempt, unless the claim was lost. The next message of the alert follows.
 * @param outcome.nextInMs milliseconds until the next attempt at this message; null = no further attempt
 */
export async function finishMessage(
  trx: Transaction,
  claim: Claim,
  message: AlertMessage,
  outcome: { readonly error: string | null; readonly now: number; readonly nextInMs: number | null },
): Promise<void> {
  const { error, now, nextInMs } = outcome;
  if (!(await renewWork(trx, claim, 0))) return;
  await trx.run(
    trx.builder
      .updateTable('alert_messages')
      .set({
        error,
        attempts: message.attempts + 1,
        status: error === null ? 'delivered' : nextInMs === null ? 'failed' : 'pending',
        delivered_at: error === null ? now : null,
      })
      .where('id', '=', message.id),
  );
  if (nextInMs !== null) await releaseWork(trx, claim, { inMs: nextInMs, attempts: claim.attempts + 1 });
  else if ((await nextMessage(trx, message.alert_id)) === undefined) await endWork(trx, claim);
  else await releaseWork(trx, claim, { inMs: 0, attempts: 0 });
}

/** Deletes alerts that ended a month ago. */
export async function deleteOldAlerts(trx: Transaction, now: number): Promise<void> {
  await trx.run(trx.builder.deleteFrom('alert_messages').where('created_at', '<', now - KEPT_MS));
  await trx.run(trx.builder.deleteFrom('alerts').where('ended_at', '<', now - KEPT_MS));
}
