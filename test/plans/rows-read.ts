import { Client } from 'pg';
import { textOf } from './explain.ts';
import type { SeenStatement } from './watch-statements.ts';

/** Rows that one statement read of a large table, beyond what it returned or changed. */
export interface WideRead {
  readonly text: string;
  readonly read: number;
  readonly used: number;
}

const UNIQUE_VIOLATION = '23505';

interface RanPlan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly RanPlan[];
}

/** Copies the rows of tables until each has as many, equal in all but the named columns, and gathers statistics. */
export async function copyRows(
  url: string,
  tables: Readonly<Record<string, { readonly from: string; readonly differ: Readonly<Record<string, string>> }>>,
  rows: number,
): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const [table, { from, differ }] of Object.entries(tables)) {
      const found = await client.query(
        `select column_name as name from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_identity = 'NO'`,
        [table],
      );
      const names = found.rows.map(({ name }) => name as string);
      const { rowCount } = await client.query(
        `insert into ${table} (${names.join(', ')}) select ${names.map((name) => differ[name] ?? name).join(', ')}
          from (select * from ${table} where ${from} limit 1) as pattern, generate_series(1, ${rows}) as copy`,
      );
      if (rowCount !== rows) throw new Error(`expected ${rows} copies of a row of ${table}, made ${rowCount}`);
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/**
 * Runs statements again, each in a transaction that is rolled back.
 * @returns those that read more than `most` rows beyond what they returned or changed
 */
export async function wideReads(url: string, statements: readonly SeenStatement[], most: number): Promise<WideRead[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const wide: WideRead[] = [];
    for (const { text, values } of statements) {
      await client.query('begin');
      await client.query(`prepare seen as ${text}`);
      const sent = values.map((value) => (value === null ? 'null' : client.escapeLiteral(textOf(value))));
      const use = `explain (analyze, format json) execute seen${sent.length === 0 ? '' : `(${sent.join(', ')})`}`;
      const plan = await client.query(use).then(
        ({ rows }) => rows[0]['QUERY PLAN'][0].Plan as RanPlan,
        (error: { readonly code?: string }) => {
          // Its row is there since it ran first.
          if (error.code === UNIQUE_VIOLATION) return null;
          throw error;
        },
      );
      await client.query('rollback');
      await client.query('deallocate seen');
      if (plan === null) continue;
      const nodes = nodesOf(plan);
      const read = nodes.reduce((sum, node) => sum + readBy(node), 0);
      const used = Math.max(...nodes.filter(({ 'Node Type': type }) => type === 'ModifyTable').map(changedBy), 0);
      const given = plan['Actual Rows'];
      if (read - Math.max(used, given) > most) wide.push({ text, read, used: Math.max(used, given) });
    }
    return wide;
  } finally {
    await client.end();
  }
}

function nodesOf(plan: RanPlan): RanPlan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** A change returns no row, so the rows that its plan gives it count. */
function changedBy({ Plans: plans = [] }: RanPlan): number {
  return plans.reduce((sum, { 'Actual Rows': rows, 'Actual Loops': loops }) => sum + rows * loops, 0);
}

function readBy(node: RanPlan): number {
  if (node['Relation Name'] === undefined || node['Node Type'] === 'ModifyTable') return 0;
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}
