import { prepare, type Schema, type Store, type Transaction } from '@darkroom-service/darkroom/kernel';
import { type Selectable, sql } from 'kysely';

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
const NAMES = Object.keys(COLUMNS) as (keyof RequestRow)[];
const columns = sql.raw(NAMES.join(', '));
const typed = sql.raw(NAMES.map((name) => `${name} ${COLUMNS[name]}`).join(', '));

const insertOne = prepare<RequestRow, unknown>('request_log_insert', (builder, argument) => ({
  compile: () =>
    sql`insert into request_log (${columns}) values (${sql.join(NAMES.map((name) => argument(name)))})
      on conflict do nothing`.compile(builder),
}));

/** Inserts any number of rows by one statement, in one round trip. */
const insertMany = prepare<{ rows: string }, unknown>('request_log_insert_many', (builder, argument) => ({
  compile: () =>
    sql`insert into request_log (${columns})
      select * from json_to_recordset(cast(${argument('rows')} as json)) as entry (${typed})
      on conflict do nothing`.compile(builder),
}));

/** Inserts requests. Requests that an unconfirmed write has stored are skipped. */
export async function insertRequests(
  trx: Transaction,
  kind: Store['kind'],
  rows: readonly RequestRow[],
): Promise<void> {
  if (kind === 'postgres') await trx.run(insertMany, { rows: JSON.stringify(rows) });
  // SQLite has no round trips, and reads JSON more slowly than arguments.
  else for (const row of rows) trx.send(insertOne, row);
}
