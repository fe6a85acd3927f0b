import type { Compilable, Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { createIndex, createTable, type DatabaseKind, type Migration } from './statements.ts';

/** Calls of OpenAI-compatible clients, with the tasks that each of them ordered. */
export const openaiCalls: Migration = { version: 14, name: 'openai-calls', statements };

function statements(builder: Kysely<Schema>, kind: DatabaseKind): Compilable<unknown>[] {
  return [
    createTable(
      builder,
      kind,
      'openai_calls',
      {
        id: 'text',
        api_key_id: 'text',
        digest: 'text?',
        task_ids_json: 'text',
        view_json: 'text',
        attached: 'int',
        left_at: 'int?',
        delivered_at: 'int?',
        created_at: 'int',
      },
      ['id'],
    ),
    createIndex(builder, 'openai_calls', 'repeated', ['api_key_id', 'digest', 'created_at'], {
      where: 'digest is not null',
    }),
  ];
}
