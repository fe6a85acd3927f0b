import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/**
 * Orders that wait for other orders. The index of ended parents is on the tasks themselves, so a parent is found
 * whichever version of the service settles it.
 */
export const chains: Migration = { version: 16, name: 'chains', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(builder, kind, 'task_waits', { parent_id: 'text', child_id: 'text', met: 'int' }, [
      'parent_id',
      'child_id',
    ]),
    createIndex(builder, 'task_waits', 'by_child', ['child_id']),
    createIndex(builder, 'task_waits', 'unmet', ['parent_id', 'child_id'], { where: 'met = 0' }),
    addColumn(builder, kind, 'tasks', 'waiting_json', 'text?'),
    addColumn(builder, kind, 'tasks', 'children_at', 'int?'),
    createIndex(builder, 'tasks', 'with_children', ['children_at'], {
      where: "step = 'final' and children_at is not null",
    }),
  ];
}
