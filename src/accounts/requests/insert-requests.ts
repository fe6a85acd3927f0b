import { type Selectable, sql } from 'kysely';
import type { Database, Transaction } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import type { Schema } from '../../database/schema.ts';

export type RequestRow = Selectable<Schema['request_log']>;

const COLUMNS = {
  id: 'text',
  api_key_id: 'text',
  account_id: 'text',
  method: 'text',
  path: 'text',
  status: 'bigint',
  code: 'text',
  duration_ms: 'bigint',
  request_id: 'text',
  task_id: 'text',
  answered_at: 'bigint',
} as const satisfies Record<keyof RequestRow, string>;
const NAMES = Object.keys(COLUMNS);
const into = sql.raw(`insert into request_log (${NAMES.join(', ')})`);
const fields = sql.raw(NAMES.map((name) => `value ->> '${name}'`).join(', '));
const typed = sql.raw(
  Object.entries(COLUMNS)
    .map(([name, type]) => `${name} ${type}`)
    .join(', '),
);

/** One statement for any number of rows. Rows that an unconfirmed write has left are skipped. */
const INSERTS = {
  sqlite: prepare<{ rows: string }, unknown>('request_log_of_json', (builder, argument) => ({
    compile: () =>
      sql`${into} select ${fields} from json_each(${argument('rows')}) where true on conflict do nothing`.compile(
        builder,
      ),
  })),
  postgres: prepare<{ rows: string }, unknown>('request_log_of_records', (builder, argument) => ({
    compile: () =>
      sql`${into} select * from json_to_recordset(cast(${argument('rows')} as json)) as entry (${typed})
        on conflict do nothing`.compile(builder),
  })),
};

/** Inserts requests, each of them once. */
export async function insertRequests(
  trx: Transaction,
  kind: Database['kind'],
  rows: readonly RequestRow[],
): Promise<void> {
  await trx.run(INSERTS[kind], { rows: JSON.stringify(rows) });
}
