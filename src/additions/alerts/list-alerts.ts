import { isoTime } from '@darkroom-service/contract/clock';
import type { Selectable } from 'kysely';
import type { Session } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { alertData } from './alert-data.ts';
import type { AlertView } from './alert-wire.ts';
import type { AlertKind, AlertRow } from './condition.ts';

interface AlertQuery {
  /** Null = both. */
  readonly state: AlertView['state'] | null;
  /** Null = all. */
  readonly kind: AlertKind | null;
  readonly limit: number;
  /** An alert_id: those that began before it. */
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
  const messages = Map.groupBy(await lastMessages(session, page), (message) => message.alert_id);
  return {
    items: page.map((row) => view(row, messages.get(row.id) ?? [], publicUrl)),
    hasMore: rows.length > query.limit,
  };
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

function view(row: AlertRow, messages: readonly MessageRow[], publicUrl: string): AlertView {
  return {
    ...alertData(row, publicUrl),
    kind: row.kind,
    state: row.ended_at === null ? 'open' : 'ended',
    seen_at: isoTime(row.seen_at),
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
