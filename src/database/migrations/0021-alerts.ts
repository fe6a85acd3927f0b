import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Alerts, and the messages that tell operators of them. */
export const alerts: Migration = { version: 21, name: 'alerts', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'alerts',
      {
        id: 'text',
        scope: 'text',
        kind: 'text',
        subject: 'text',
        summary: 'text',
        began_at: 'int',
        seen_at: 'int',
        told_at: 'int',
        ended_at: 'int?',
      },
      ['id'],
    ),
    createIndex(builder, 'alerts', 'once', ['scope', 'kind', 'subject'], { where: 'ended_at is null', unique: true }),
    createTable(
      builder,
      kind,
      'alert_messages',
      {
        id: 'text',
        alert_id: 'text',
        channel: 'text',
        type: 'text',
        data_json: 'text',
        attempts: 'int',
        next_at: 'int?',
        error: 'text?',
        created_at: 'int',
        delivered_at: 'int?',
      },
      ['id'],
    ),
    createIndex(builder, 'alert_messages', 'due', ['next_at'], { where: 'next_at is not null' }),
    createIndex(builder, 'alert_messages', 'of_alert', ['alert_id', 'id']),
  ];
}
