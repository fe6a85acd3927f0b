import { Client } from 'pg';
import { FEW, type Growth, TABLES } from './grown-tables.ts';

/** The least rows of a grown table. */
const COPIES = 20_000;
/** How many times as many rows the planner is told of, which makes a million tasks. */
const FACTOR = 50;

/**
 * Copies the rows of each growing table, or a made-up one if it is empty, so that the server gathers statistics of many
 * rows. Then raises the number of rows that it remembers for a page, which it multiplies with the true pages of the
 * file. So reading a table from end to end looks cheaper to it than with a million tasks.
 */
export async function growPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const [table, growth] of Object.entries(TABLES))
      if (typeof growth !== 'string') await growTable(client, table, growth);
    await client.query('analyze');
    await client.query(
      `update pg_class set reltuples = reltuples * ${FACTOR} where reltuples >= ${COPIES}
        and not (oid = any($1::regclass[]))
        and (relkind = 'r'
          or oid in (select indexrelid from pg_index where not (indrelid = any($1::regclass[]))))`,
      [FEW],
    );
  } finally {
    await client.end();
  }
}

async function growTable(client: Client, table: string, growth: Growth): Promise<void> {
  // The server would count again.
  await client.query(`alter table ${table} set (autovacuum_enabled = false)`);
  const { rows } = await client.query(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_identity = 'NO'`,
    [table],
  );
  const names = rows.map(({ name }) => name).join(', ');
  const madeUp = rows.map(({ type }) => (type === 'text' ? `'none'` : '0')).join(', ');
  const copied = rows.map(({ name }) => growth[name] ?? name).join(', ');
  const pattern = table === 'tasks' ? "where step = 'final'" : '';
  await client.query(`insert into ${table} (${names}) select ${madeUp} where not exists (select 1 from ${table})`);
  await client.query(
    `insert into ${table} (${names}) select ${copied}
      from (select *, count(*) over () as patterns from ${table} ${pattern}) as pattern,
        generate_series(1, 1 + ${COPIES} / patterns) as copy`,
  );
}
