import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Upstream job ids, so that no result is stored for two orders. */
export const upstreamJobs: Migration = { version: 5, name: 'upstream-jobs', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(builder, kind, 'upstream_jobs', { engine: 'text', job: 'text', task_id: 'text' }, ['engine', 'job']),
  ];
}
