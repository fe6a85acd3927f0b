import type { Compilable, Kysely } from 'kysely';
import type { DatabaseKind, Migration } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { createTable } from './statements.ts';

/** What upstreams call the orders that they took, so that no result is brought home for two of them. */
export const upstreamJobs: Migration = { version: 5, name: 'upstream-jobs', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(builder, kind, 'upstream_jobs', { engine: 'text', job: 'text', task_id: 'text' }, ['engine', 'job']),
  ];
}
