import { type Compilable, type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { addColumn, createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** How many bytes of input files each API key has stored, initialized from the existing files. */
export const storedBytes: Migration = { version: 11, name: 'stored-bytes', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  const sums = builder
    .insertInto('stored_bytes')
    .columns(['api_key_id', 'bytes'])
    .expression((expression) =>
      expression
        .selectFrom('files')
        .select(['api_key_id', sql<number>`cast(sum(bytes) as bigint)`.as('bytes')])
        .where('erased_at', 'is', null)
        .groupBy('api_key_id'),
    );
  return [
    createTable(builder, kind, 'stored_bytes', { api_key_id: 'text', bytes: 'int' }, ['api_key_id']),
    addColumn(builder, kind, 'tasks', 'input_bytes', 'int?'),
    createIndex(builder, 'tasks', 'inputs', ['api_key_id', 'input_bytes'], {
      where: 'input_bytes is not null and erased_at is null',
    }),
    createIndex(builder, 'files', 'stored', ['api_key_id', 'bytes'], { where: 'erased_at is null' }),
    sums as Compilable<unknown>,
  ];
}
