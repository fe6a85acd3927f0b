import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Whom a message about an alert was for, what is left in accounts at upstreams, and links that show several tasks. */
export const alertsBalancesCollections: Migration = { version: 25, name: 'alerts-balances-collections', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    addColumn(builder, kind, 'alert_messages', 'receiver', 'text?'),
    createTable(
      builder,
      kind,
      'upstream_balances',
      { engine: 'text', amount: 'text?', unit: 'text?', told_at: 'int?', asked_at: 'int', error: 'text?' },
      ['engine'],
    ),
    createTable(builder, kind, 'share_tasks', { share_id: 'text', position: 'int', task_id: 'text' }, [
      'share_id',
      'position',
    ]),
    createIndex(builder, 'share_tasks', 'by_task', ['task_id', 'share_id'], { unique: true }),
  ];
}
