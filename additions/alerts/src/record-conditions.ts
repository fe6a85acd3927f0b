import type { Session, Store, Transaction } from '@darkroom-service/darkroom/kernel';
import { wordsOf } from '@darkroom-service/darkroom/kernel-views';
import { type AlertKind, type AlertRow, type Condition, oncePerSubject } from './condition.ts';

/** Absence of a condition that ends its alert: an upstream that fails again and again is one alert. */
export const ENDED_AFTER_MS = 3 * 60_000;
/** Silence of an observer after which its alerts end. */
const FORGOTTEN_AFTER_MS = 60 * 60_000;

/** Conditions that one observer has found. */
export interface Observation {
  /** The scope whose alerts may end by this observation. */
  readonly scope: string;
  readonly found: readonly Condition[];
  /** Kinds that could not be observed: their alerts neither begin nor end. */
  readonly unseen?: ReadonlySet<AlertKind>;
  readonly now: number;
}

interface AlertChange {
  readonly type: 'alert.began' | 'alert.ended';
  readonly kind: AlertKind;
  readonly subject: string;
  readonly summary: string;
}

/** Result of recording an observation. */
interface Recorded {
  readonly changes: readonly AlertChange[];
  /** Reasons why conditions could not be recorded. A fault does not stop the other conditions. */
  readonly faults: readonly string[];
}

/** Begins and ends alerts, each in its own commit; `send-alerts.ts` writes the messages about them. */
export async function recordConditions(
  store: Pick<Store, 'write' | 'createId'>,
  observation: Observation,
): Promise<Recorded> {
  const { scope, now } = observation;
  const found = oncePerSubject(observation.found);
  const changes: AlertChange[] = [];
  const faults: string[] = [];
  for (const condition of found) {
    const { kind, subject } = condition;
    await attempt(`${kind} ${subject}`, (trx) =>
      observe(trx, { ...observation, newId: store.createId('alr') }, condition),
    );
  }
  await attempt('ended alerts', async (trx) => {
    const ended: AlertChange[] = [];
    const hosts = new Set((await trx.all(selectHosts(trx))).map(({ host }) => host));
    for (const alert of await lastingAlerts(trx)) {
      const isThere = found.some(({ kind, subject }) => alert.kind === kind && alert.subject === subject);
      const summary = alert.scope === scope ? (isThere ? null : endingOf(alert)) : foreignEndingOf(alert, hosts);
      if (summary !== null) ended.push(await end(trx, { ...alert, summary }, now));
    }
    return ended;
  });
  return { changes, faults };

  async function attempt(what: string, work: (trx: Transaction) => Promise<readonly AlertChange[]>): Promise<void> {
    try {
      const made = await store.write('alerts', async (trx) => {
        await trx.lock('alerts');
        return await work(trx);
      });
      changes.push(...made);
    } catch (error) {
      faults.push(`${what.trim()}: ${wordsOf(error)}`);
    }
  }

  function endingOf(alert: AlertRow): string | null {
    if (observation.unseen?.has(alert.kind) === true || now - alert.seen_at < ENDED_AFTER_MS) return null;
    return alert.summary;
  }

  function foreignEndingOf(alert: AlertRow, hosts: ReadonlySet<string>): string | null {
    const unseenMs = now - alert.seen_at;
    const [observer, host] = alert.scope.split(':');
    if (unseenMs >= ENDED_AFTER_MS && observer === 'disk' && host !== undefined && !hosts.has(host))
      return `No process runs there any more: ${alert.summary}`;
    return unseenMs >= FORGOTTEN_AFTER_MS ? `Nobody has reported this for an hour: ${alert.summary}` : null;
  }
}

async function observe(
  trx: Transaction,
  { scope, now, newId }: Pick<Observation, 'scope' | 'now'> & { readonly newId: string },
  { kind, subject, summary }: Condition,
): Promise<AlertChange[]> {
  const known = (await lastingAlerts(trx)).find(
    (alert) => alert.scope === scope && alert.kind === kind && alert.subject === subject,
  );
  if (known !== undefined) {
    await trx.run(trx.builder.updateTable('alerts').set({ summary, seen_at: now }).where('id', '=', known.id));
    return [];
  }
  await trx.run(
    trx.builder.insertInto('alerts').values({
      id: newId,
      scope,
      kind,
      subject,
      summary,
      began_at: now,
      seen_at: now,
      told_at: 0,
      ended_at: null,
      acknowledged_by: null,
      acknowledged_at: null,
      ...(await silenceOf(trx, { scope, kind, subject }, now)),
    }),
  );
  return [{ type: 'alert.began', kind, subject, summary }];
}

async function end(trx: Transaction, { id, kind, subject, summary }: AlertRow, now: number): Promise<AlertChange> {
  await trx.run(trx.builder.updateTable('alerts').set({ summary, ended_at: now }).where('id', '=', id));
  return { type: 'alert.ended', kind, subject, summary };
}

/** Returns the silence requested by an operator when the condition lasted before, if it is not over. */
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

/** Selects the machines on which a process runs. */
function selectHosts({ builder }: Session) {
  return builder.selectFrom('processes').select('host').where('ended_at', 'is', null);
}

/** Returns the alerts that have begun and not ended, of all observers. */
export async function lastingAlerts(session: Session): Promise<AlertRow[]> {
  const rows = await session.all(session.builder.selectFrom('alerts').selectAll().where('ended_at', 'is', null));
  // Sorted here, so that the database reads the index of open alerts and not all of them in their order.
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}
