import type { Session, Store, Transaction } from '@darkroom-service/darkroom/kernel';
import { wordsOf } from '@darkroom-service/darkroom/kernel-views';
import { requestWork } from '@darkroom-service/store';
import { type AlertData, alertData } from './alert-data.ts';
import { deleteOldAlerts } from './alert-messages.ts';
import type { AlertKind, AlertRow } from './condition.ts';
import { lastingAlerts } from './record-conditions.ts';

/** Kinds whose summary begins with the number of things that are wrong. */
const COUNTED: ReadonlySet<AlertKind> = new Set(['unknown_outcomes']);
/** Growth factor of an alert's number since the last message at which the alert is sent again at once. */
const NEWS_FACTOR = 10;
/** Maximum age of an end that is still reported, in milliseconds. */
const END_TOLD_MS = 24 * 60 * 60_000;

interface Telling {
  readonly now: number;
  /** Time after which a lasting alert is sent again. */
  readonly repeatMs: number;
  /** The host of the webhook, for people to read. */
  readonly receiver: string;
  /** Prefix of links to the console, without a slash at the end; null if it is not known. */
  readonly publicUrl: string | null;
}

type Message = Pick<AlertRow, 'kind' | 'subject' | 'summary'> & {
  readonly type: 'alert.began' | 'alert.continues' | 'alert.ended';
};

interface Told {
  /** The messages written. */
  readonly messages: readonly Message[];
  /** Reasons why messages could not be written. A fault does not stop the other messages. */
  readonly faults: readonly string[];
}

/**
 * Writes the messages that are due, each in its own commit: for alerts that began or ended, whichever process found
 * that, and for lasting alerts that are due again or whose number has grown tenfold. Each beginning and each end is
 * reported once.
 */
export async function sendAlerts(store: Pick<Store, 'createId' | 'read' | 'write'>, telling: Telling): Promise<Told> {
  const candidates = [...(await lastingAlerts(store.read)), ...(await endedAlerts(store.read, telling.now))];
  const faults: string[] = [];
  const messages: Message[] = [];
  for (const alert of candidates) {
    const { id, kind, subject } = alert;
    try {
      if (dueMessage(alert, await lastTold(store.read, alert), telling) === null) continue;
      const message = await store.write('alerts', (trx) =>
        writeMessage(trx, id, { ...telling, newId: store.createId('alm') }),
      );
      if (message !== null) messages.push(message);
    } catch (error) {
      faults.push(`${`${kind} ${subject}`.trim()}: ${wordsOf(error)}`);
    }
  }
  if (messages.length > 0) await store.write('alerts', (trx) => deleteOldAlerts(trx, telling.now));
  return { messages, faults };
}

async function writeMessage(
  trx: Transaction,
  id: string,
  telling: Telling & { readonly newId: string },
): Promise<Message | null> {
  const { now, receiver, publicUrl, newId } = telling;
  await trx.lock('alerts');
  const alert = await trx.first(trx.builder.selectFrom('alerts').selectAll().where('id', '=', id));
  const type = alert === undefined ? null : dueMessage(alert, await lastTold(trx, alert), telling);
  if (alert === undefined || type === null) return null;
  const toldAt = Math.max(now, alert.ended_at ?? 0);
  await trx.run(trx.builder.updateTable('alerts').set({ told_at: toldAt }).where('id', '=', id));
  await trx.run(
    trx.builder.insertInto('alert_messages').values({
      id: newId,
      alert_id: id,
      receiver,
      type,
      data_json: JSON.stringify(alertData(alert, publicUrl)),
      attempts: 0,
      status: 'pending',
      error: null,
      created_at: now,
      delivered_at: null,
    }),
  );
  requestWork(trx, { kind: 'alert', subject: id, owner: '', now });
  const { kind, subject, summary } = alert;
  return { type, kind, subject, summary };
}

/** @param told the summary of the last message; null if there is none */
function dueMessage(alert: AlertRow, told: string | null, { now, repeatMs }: Telling): Message['type'] | null {
  const { told_at: toldAt, ended_at: endedAt, silenced_until: silencedUntil } = alert;
  if (silencedUntil !== null && silencedUntil > (endedAt ?? now)) return null;
  if (endedAt !== null) return toldAt > 0 && toldAt < endedAt ? 'alert.ended' : null;
  if (alert.acknowledged_at !== null) return null;
  if (toldAt === 0) return 'alert.began';
  const isNews = COUNTED.has(alert.kind) && countIn(alert.summary) >= NEWS_FACTOR * countIn(told ?? alert.summary);
  return isNews || now - toldAt >= repeatMs ? 'alert.continues' : null;
}

/** Returns the number with which a summary begins; 1 if it names one thing. */
function countIn(summary: string): number {
  return Number(/^\d+/.exec(summary)?.[0] ?? 1);
}

/** Returns the summary of the last message about an alert whose summary counts; null if there is none. */
async function lastTold(session: Session, { id, kind }: AlertRow): Promise<string | null> {
  if (!COUNTED.has(kind)) return null;
  const messages = session.builder.selectFrom('alert_messages').select('data_json').where('alert_id', '=', id);
  const message = await session.first(messages.orderBy('id', 'desc').limit(1));
  return message === undefined ? null : (JSON.parse(message.data_json) as AlertData).summary;
}

async function endedAlerts(session: Session, now: number): Promise<AlertRow[]> {
  return await session.all(
    session.builder
      .selectFrom('alerts')
      .selectAll()
      .where('ended_at', '>', now - END_TOLD_MS)
      .where('told_at', '>', 0)
      .whereRef('told_at', '<', 'ended_at')
      .orderBy('id'),
  );
}
