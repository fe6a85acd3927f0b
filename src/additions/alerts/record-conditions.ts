import type { Session, Transaction } from '../../database/database.ts';
import { askForWork } from '../../database/work.ts';
import { alertData } from './alert-data.ts';
import { deleteOldAlerts } from './alert-messages.ts';
import type { AlertKind, AlertRow, Condition } from './condition.ts';

/** A condition that is absent for a shorter time has not ended: an upstream that fails again and again is one alert. */
export const ENDED_AFTER_MS = 3 * 60_000;
/** Alerts of an observer that is silent for longer end too. */
const FORGOTTEN_AFTER_MS = 60 * 60_000;

/** The conditions that one observer has found. */
interface Observation {
  /** Only alerts of this scope may end by this observation. */
  readonly scope: string;
  readonly found: readonly Condition[];
  readonly now: number;
  readonly repeatMs: number;
  /** Whom to tell of changes, for people to read, without secrets; null = nobody. */
  readonly receiver: string | null;
  /** The beginning of links to the console. */
  readonly publicUrl: string;
  readonly createId: (prefix: string) => string;
}

interface AlertChange {
  readonly type: 'alert.began' | 'alert.continues' | 'alert.ended';
  readonly kind: AlertKind;
  readonly subject: string;
  readonly summary: string;
}

/**
 * Begins, repeats and ends alerts, and writes the messages about them. Whichever process observes: each beginning and
 * each end is told once.
 * @returns the messages written
 */
export async function recordConditions(trx: Transaction, observation: Observation): Promise<AlertChange[]> {
  const { scope, found, now, repeatMs } = observation;
  await trx.lock('alerts');
  const all = await lastingAlerts(trx);
  const lasting = all.filter((alert) => alert.scope === scope);
  const changes: AlertChange[] = [];
  for (const { kind, subject, summary } of found) {
    const known = lasting.find((alert) => alert.kind === kind && alert.subject === subject);
    if (known === undefined) {
      const times = { began_at: now, seen_at: now, told_at: now, ended_at: null };
      const marks = {
        acknowledged_by: null,
        acknowledged_at: null,
        ...(await silenceOf(trx, { scope, kind, subject }, now)),
      };
      const alert = { id: observation.createId('alr'), scope, kind, subject, summary, ...times, ...marks };
      await trx.run(trx.builder.insertInto('alerts').values(alert));
      await tell(alert, 'alert.began');
      continue;
    }
    const isDue = now - known.told_at >= repeatMs && known.acknowledged_at === null;
    const changed = { summary, seen_at: now, told_at: isDue ? now : known.told_at };
    await trx.run(trx.builder.updateTable('alerts').set(changed).where('id', '=', known.id));
    if (isDue) await tell({ ...known, ...changed }, 'alert.continues');
  }
  for (const alert of lasting) {
    const isThere = found.some(({ kind, subject }) => alert.kind === kind && alert.subject === subject);
    if (isThere || now - alert.seen_at < ENDED_AFTER_MS) continue;
    await end(alert);
  }
  const hosts = new Set((await trx.all(selectHosts(trx))).map(({ host }) => host));
  for (const alert of all) {
    const unseenMs = now - alert.seen_at;
    if (alert.scope === scope || unseenMs < ENDED_AFTER_MS) continue;
    const [observer, host] = alert.scope.split(':');
    if (observer === 'disk' && host !== undefined && !hosts.has(host))
      await end({ ...alert, summary: `No process runs there any more: ${alert.summary}` });
    else if (unseenMs >= FORGOTTEN_AFTER_MS)
      await end({ ...alert, summary: `Nobody has reported this for an hour: ${alert.summary}` });
  }
  if (changes.length > 0) await deleteOldAlerts(trx, now);
  return changes;

  async function tell(alert: AlertRow, type: AlertChange['type']): Promise<void> {
    const isSilenced = alert.silenced_until !== null && alert.silenced_until > now;
    if (observation.receiver !== null && !isSilenced) await insertMessage(trx, observation, alert, type);
    changes.push({ type, kind: alert.kind, subject: alert.subject, summary: alert.summary });
  }

  async function end(alert: AlertRow): Promise<void> {
    const changed = { summary: alert.summary, ended_at: now, told_at: now };
    await trx.run(trx.builder.updateTable('alerts').set(changed).where('id', '=', alert.id));
    await tell({ ...alert, ...changed }, 'alert.ended');
  }
}

/** Returns the silence that an operator asked for when the condition lasted before, if it is not over. */
async function silenceOf(
  trx: Transaction,
  { scope, kind, subject }: Pick<AlertRow, 'scope' | 'kind' | 'subject'>,
  now: number,
): Promise<Pick<AlertRow, 'silenced_by' | 'silenced_until'>> {
  const row = await trx.first(
    trx.builder
      .selectFrom('alerts')
      .select(['silenced_by', 'silenced_until'])
      .where('silenced_until', '>', now)
      .where('scope', '=', scope)
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .orderBy('silenced_until', 'desc')
      .limit(1),
  );
  return row ?? { silenced_by: null, silenced_until: null };
}

/** The machines on which a process runs. */
function selectHosts({ builder }: Session) {
  return builder.selectFrom('processes').select('host').where('ended_at', 'is', null);
}

/** Returns the alerts that have begun and not ended, of all observers. */
export async function lastingAlerts(session: Session): Promise<AlertRow[]> {
  const rows = await session.all(session.builder.selectFrom('alerts').selectAll().where('ended_at', 'is', null));
  // Sorted here, so that the database reads the index of open alerts and not all of them in their order.
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function insertMessage(
  trx: Transaction,
  { now, publicUrl, createId, receiver }: Observation,
  alert: AlertRow,
  type: AlertChange['type'],
): Promise<void> {
  await trx.run(
    trx.builder.insertInto('alert_messages').values({
      id: createId('alm'),
      alert_id: alert.id,
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
  askForWork(trx, { kind: 'alert', subject: alert.id, owner: '', now });
}
