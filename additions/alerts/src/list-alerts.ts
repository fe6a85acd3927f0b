import { cutText, isoTime, ServiceError } from '@darkroom-service/contract';
import type { Schema, Session } from '@darkroom-service/darkroom/kernel';
import type { Selectable } from 'kysely';
import { alertData } from './alert-data.ts';
import type { AlertView } from './alert-wire.ts';
import type { AlertKind, AlertRow } from './condition.ts';

interface AlertQuery {
  /** State of the alerts; null = both. */
  readonly state: AlertView['state'] | null;
  /** Kind of the alerts; null = all. */
  readonly kind: AlertKind | null;
  readonly limit: number;
  /** An alert_id; lists the alerts that began before it. */
  readonly after: string | null;
}

type MessageRow = Selectable<Schema['alert_messages']>;

/** Lists alerts, newest first, with the last message about each. @param publicUrl without a slash at the end */
export async function listAlerts(
  session: Session,
  query: AlertQuery,
  publicUrl: string,
): Promise<{ readonly items: AlertView[]; readonly hasMore: boolean }> {
  let select = session.builder
    .selectFrom('alerts')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.state !== null) select = select.where('ended_at', query.state === 'open' ? 'is' : 'is not', null);
  if (query.kind !== null) select = select.where('kind', '=', query.kind);
  if (query.after !== null) select = select.where('id', '<', query.after);
  const rows = await session.all(select);
  const page = rows.slice(0, query.limit);
  const names = await namesOf(session, page);
  const messages = Map.groupBy(await lastMessages(session, page), (message) => message.alert_id);
  return {
    items: page.map((row) => view(row, { messages: messages.get(row.id) ?? [], names }, publicUrl)),
    hasMore: rows.length > query.limit,
  };
}

/** Reads an alert. @throws ServiceError `not_found` */
export async function getAlert(session: Session, alertId: string, publicUrl: string): Promise<AlertView> {
  const row = await session.first(session.builder.selectFrom('alerts').selectAll().where('id', '=', alertId));
  if (row === undefined) throw new ServiceError('not_found', `There is no alert '${cutText(alertId, 64)}'.`);
  const marks = { messages: await lastMessages(session, [row]), names: await namesOf(session, [row]) };
  return view(row, marks, publicUrl);
}

async function lastMessages(session: Session, alerts: readonly AlertRow[]): Promise<MessageRow[]> {
  if (alerts.length === 0) return [];
  return await session.all(
    session.builder
      .selectFrom('alert_messages')
      .selectAll()
      .where('id', 'in', (expression) =>
        expression
          .selectFrom('alert_messages as sent')
          .select(({ fn }) => fn.max<string>('sent.id').as('id'))
          .where(
            'sent.alert_id',
            'in',
            alerts.map(({ id }) => id),
          )
          .groupBy('sent.alert_id'),
      ),
  );
}

/** Returns the names of the people and the admin keys that answered alerts, by id: as in the last act of each. */
async function namesOf(session: Session, alerts: readonly AlertRow[]): Promise<ReadonlyMap<string, string>> {
  const actors = alerts.flatMap(({ acknowledged_by: one, silenced_by: other }) => [one, other]);
  const names = new Map<string, string>();
  for (const actor of new Set(actors.filter((id) => id !== null))) {
    const last = session.builder.selectFrom('audit_log').select('actor_name').where('actor', '=', actor);
    const { actor_name: name = null } = (await session.first(last.orderBy('id', 'desc').limit(1))) ?? {};
    if (name !== null) names.set(actor, name);
  }
  return names;
}

function view(
  row: AlertRow,
  { messages, names }: { readonly messages: readonly MessageRow[]; readonly names: ReadonlyMap<string, string> },
  publicUrl: string,
): AlertView {
  const by = (actor: string) => ({ by: actor, by_name: names.get(actor) ?? null });
  return {
    ...alertData(row, publicUrl),
    kind: row.kind,
    state: row.ended_at === null ? 'open' : 'ended',
    seen_at: isoTime(row.seen_at),
    acknowledged:
      row.acknowledged_by === null || row.acknowledged_at === null
        ? null
        : { ...by(row.acknowledged_by), at: isoTime(row.acknowledged_at) },
    silenced:
      row.silenced_by === null || row.silenced_until === null
        ? null
        : { ...by(row.silenced_by), until: isoTime(row.silenced_until) },
    messages: messages.map((message) => ({
      receiver: message.receiver,
      type: message.type,
      status: message.status,
      attempts: message.attempts,
      error: message.error,
      created_at: isoTime(message.created_at),
      delivered_at: isoTime(message.delivered_at),
    })),
  };
}
