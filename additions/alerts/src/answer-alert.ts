import { cutText, ServiceError } from '@darkroom-service/contract';
import { type Act, actorOf, type Kernel, type Store } from '@darkroom-service/darkroom/kernel';

type Mark =
  | { readonly acknowledged_by: string; readonly acknowledged_at: number }
  | { readonly silenced_by: string; readonly silenced_until: number };

interface Parts {
  readonly accounts: Pick<Kernel['accounts'], 'record'>;
  readonly store: Pick<Store, 'write'>;
}

/** Acknowledges an alert for an operator: it is not repeated any more. @throws ServiceError `not_found` */
export async function acknowledgeAlert(parts: Parts, by: Act, alertId: string): Promise<void> {
  const mark = { acknowledged_by: actorOf(by).id, acknowledged_at: by.now };
  await writeMark(parts, by, alertId, { act: 'alert.acknowledge', mark, detail: {} });
}

/**
 * Silences the condition for a time, also if it ends and begins again.
 * @param seconds 0 = send again
 * @throws ServiceError `not_found`
 */
export async function silenceAlert(parts: Parts, by: Act, alertId: string, seconds: number): Promise<void> {
  const mark = { silenced_by: actorOf(by).id, silenced_until: by.now + seconds * 1000 };
  await writeMark(parts, by, alertId, { act: 'alert.silence', mark, detail: { seconds } });
}

async function writeMark(
  { accounts, store }: Parts,
  by: Act,
  alertId: string,
  what: { readonly act: string; readonly mark: Mark; readonly detail: { readonly seconds?: number } },
): Promise<void> {
  await store.write('answer_alert', async (trx) => {
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
    await accounts.record(trx, by, { act: what.act, target: alertId, detail: { ...row, ...what.detail } });
  });
}
