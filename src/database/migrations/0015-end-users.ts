import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Limits per end user. The indexes contain all that a sum of an end user's orders reads. */
export const endUsers: Migration = { version: 15, name: 'end-users', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  const ofKey = (column: 'end_user_day' | 'end_user_month' | 'end_user_total') =>
    addColumn(builder, kind, 'api_keys', column, 'int?');
  const spending = (name: string, column: 'end_user' | 'erased_end_user') =>
    createIndex(builder, 'tasks', name, ['api_key_id', column, 'created_at', 'price', 'charged'], {
      where: `${column} is not null`,
    });
  return [
    createTable(
      builder,
      kind,
      'end_users',
      {
        api_key_id: 'text',
        end_user: 'text',
        limits_json: 'text',
        closed_at: 'int',
        closed_day: 'int',
        closed_month: 'int',
        closed_total: 'int',
      },
      ['api_key_id', 'end_user'],
    ),
    ofKey('end_user_day'),
    ofKey('end_user_month'),
    ofKey('end_user_total'),
    addColumn(builder, kind, 'tasks', 'erased_end_user', 'text?'),
    spending('spending', 'end_user'),
    spending('erased_spending', 'erased_end_user'),
  ];
}
