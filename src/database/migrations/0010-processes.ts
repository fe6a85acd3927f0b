import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/**
 * The service's processes with their heartbeats, and an index of cancellation requests that a task's owner must notice.
 */
export const processes: Migration = { version: 10, name: 'processes', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'processes',
      {
        id: 'text',
        role: 'text',
        host: 'text',
        machine: 'text',
        pid: 'int',
        version: 'text',
        lock_path: 'text',
        started_at: 'int',
        beat_at: 'int',
        beats: 'int',
        ended_at: 'int?',
      },
      ['id'],
    ),
    createIndex(builder, 'tasks', 'cancel_wishes', ['worker'], {
      where: 'cancel_requested_at is not null and worker is not null',
    }),
  ];
}
