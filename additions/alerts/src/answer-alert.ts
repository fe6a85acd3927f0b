import { cutText, ServiceError } from '@darkroom-service/contract';
import { type Act, actorOf, type Database, recordAct } from '@darkroom-service/darkroom/kernel';

type Mark =
  | { readonly acknowledged_by: string; readonly acknowledged_at: number }
  | { readonly silenced_by: string; readonly silenced_until: number };

/** Acknowledges an alert for an operator: it is not repeated any more. @throws ServiceError `not_found` */
export async function acknowledgeAlert(database: Pick<Database, 'write'>, by: Act, alertId: string): Promise<void> {
  const mark = { acknowledged_by: actorOf(by).id, acknowledged_at: by.now };
  await writeMark(database, by, alertId, { act: 'alert.acknowledge', mark, detail: {} });
}

/**
 * Silences the condition for a time, also if it ends and begins again.
 * @param seconds 0 = send again
 * @throws ServiceError `not_found`
 */
export async function silenceAlert(
  database: Pick<Database, 'write'>,
  by: Act,
  alertId: string,
  seconds: number,
): Promise<void> {
  const mark = { silenced_by: actorOf(by).id, silenced_until: by.now + seconds * 1000 };
  await writeMark(database, by, alertId, { act: 'alert.silence', mark, detail: { seconds } });
}

async function writeMark(
  database: Pick<Database, 'write'>,
  by: Act,
  alertId: string,
  what: { readonly act: string; readonly mark: Mark; readonly detail: { readonly seconds?: number } },
): Promise<void> {
  await database.write('answer_alert', async (trx) => {
    await by.binding?.within(trx, alertId);
    const row = await trx.first(
      trx.builder
        .updateTable('alerts')
        .set(what.mark)
        .where('id', '=', alertId)
        .where('ended_at', 'is', null)
        .returning(['kind', 'subject']),
    );
    if (row === undefined)
      throw new ServiceError('not_found', `There is no open alert '${cutText(alertId, 64)}'. It may have ended.`);
    await recordAct(trx, by, { act: what.act, target: alertId, detail: { ...row, ...what.detail } });
  });
}
