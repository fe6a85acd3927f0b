import { SqliteConnection } from '@darkroom-service/store';
import { Client } from 'pg';
import { TABLES } from './grown-tables.ts';
import type { SeenStatement } from './watch-statements.ts';

const GROWING = Object.keys(TABLES).filter((table) => typeof TABLES[table as keyof typeof TABLES] !== 'string');

/** Returns the growing tables that a statement names. */
export function growingIn(text: string): string[] {
  return GROWING.filter(
    (table) => text.includes(`"${table}"`) || new RegExp(`\\b(?:from|join) ${table}\\b`).test(text),
  );
}

/** How one statement reads a growing table from end to end. */
export interface Scan {
  readonly table: string;
  readonly text: string;
  /** The database's own words. */
  readonly step: string;
}

/**
 * Finds the statements that read a growing table from end to end. SQLite plans without statistics, since the service
 * never lets it gather any, and so plans alike for ten rows and for a million.
 */
export function scansOfSqlite(path: string, statements: readonly SeenStatement[]): Scan[] {
  const connection = new SqliteConnection(path, { readOnly: true, now: () => 0 });
  try {
    if (connection.all("select 1 from sqlite_master where name like 'sqlite_stat%'", []).length > 0)
      throw new Error('expected a database without statistics, found some: plans may change with the number of rows');
    return statements.flatMap(({ text, values }) => {
      const names = aliasesOf(text);
      const steps = connection.all(`explain query plan ${text}`, values) as { readonly detail: string }[];
      return steps.flatMap(({ detail: step }) => {
        const [, name = '', way = ''] = /^SCAN (\w+)(.*)$/.exec(step) ?? [];
        const table = names.get(name) ?? name;
        return GROWING.includes(table) && !isPartial(connection, way) ? [{ table, text, step }] : [];
      });
    });
  } finally {
    connection.close();
  }
}

/** An index of the few rows that wait for something may be read from end to end. */
function isPartial(connection: SqliteConnection, way: string): boolean {
  const index = / INDEX (\w+)/.exec(way)?.[1];
  const found = connection.first('select sql from sqlite_master where name = ?', [index ?? '']) as { sql?: string };
  return found?.sql?.includes(' where ') === true;
}

function aliasesOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/"(\w+)" as "(\w+)"/g)].map(([, table = '', alias = '']) => [alias, table]));
}

interface PostgresPlan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PostgresPlan[];
}

/**
 * Returns the scans of statements on PostgreSQL, as the server plans a prepared statement at its first and at its tenth
 * use: by then it has decided whether one plan is good for any values.
 */
export async function scansOfPostgres(url: string, statements: readonly SeenStatement[]): Promise<Scan[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const partial = await partialIndexes(client);
    const scans: Scan[] = [];
    for (const { text, values } of statements) {
      await client.query(`prepare hot as ${text}`);
      const sent = values.map((value) => (value === null ? 'null' : client.escapeLiteral(textOf(value))));
      const use = `explain (format json) execute hot${sent.length === 0 ? '' : `(${sent.join(', ')})`}`;
      const plans: PostgresPlan[] = [];
      for (let time = 1; time <= 10; time++) plans.push((await client.query(use)).rows[0]['QUERY PLAN'][0].Plan);
      await client.query('deallocate hot');
      const scanned = [plans[0]!, plans[9]!].flatMap(nodesOf).find((node) => isScan(node, partial));
      if (scanned !== undefined) scans.push({ table: scanned['Relation Name'] ?? '', text, step: wordsOf(scanned) });
    }
    return scans;
  } finally {
    await client.end();
  }
}

/** A list as PostgreSQL writes it. The mark of a scan begins with NUL, which no text of PostgreSQL has. */
export function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value).replaceAll('\u0000', '');
  const items = value.map((item) => (item === null ? 'null' : `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`));
  return `{${items.join(',')}}`;
}

function nodesOf(plan: PostgresPlan): PostgresPlan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function wordsOf(node: PostgresPlan): string {
  return [node['Node Type'], node['Index Name']].filter((word) => word !== undefined).join(' ');
}

function isScan(node: PostgresPlan, partial: ReadonlySet<string>): boolean {
  if (!GROWING.includes(node['Relation Name'] ?? '')) return false;
  if (node['Node Type'] === 'Seq Scan') return true;
  const index = node['Index Name'];
  return index !== undefined && node['Index Cond'] === undefined && !partial.has(index);
}

async function partialIndexes(client: Client): Promise<Set<string>> {
  const { rows } = await client.query(
    'select indexrelid::regclass::text as name from pg_index where indpred is not null',
  );
  return new Set(rows.map(({ name }) => name));
}
