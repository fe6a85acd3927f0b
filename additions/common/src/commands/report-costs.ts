import { type CostGroup, type CostRowView, isoTime, systemClock } from '@darkroom-service/contract';
import {
  inform,
  type OutputOptions,
  show,
  table,
  usageFault,
  withLocalData,
} from '@darkroom-service/darkroom/kernel-cli';
import { reportCosts } from '../operators/cost-report.ts';

/** The options of `darkroom costs`. */
export interface CostOptions extends OutputOptions {
  readonly by: string;
  readonly from?: string;
  readonly to?: string;
}

/** Time span of a report, and the group by which its rows are summed. */
export interface CostSpan {
  readonly from: string;
  readonly to: string;
  readonly group: CostGroup;
}

type ReadCosts = (span: CostSpan) => Promise<{ readonly items: readonly CostRowView[]; readonly hasMore: boolean }>;

const GROUPS = { model: 'model_id', account: 'account_id', engine: 'engine' } as const;
const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MOST_ROWS = 1_000;

/** Runs `darkroom costs`. */
export async function showCosts(options: CostOptions): Promise<void> {
  await showCostsOf(options, async ({ from, to, group }) => {
    const query = { from: Date.parse(from), to: Date.parse(to), groupBy: [group], limit: MOST_ROWS, after: null };
    return await withLocalData('refuse', async ({ database }) => await reportCosts(database.reports, query));
  });
}

/** Shows costs that are read by another function. */
export async function showCostsOf(options: CostOptions, read: ReadCosts): Promise<void> {
  const group = Object.entries(GROUPS).find(([name]) => name === options.by)?.[1];
  if (group === undefined) throw usageFault(`--by: expected ${Object.keys(GROUPS).join(', ')}, found '${options.by}'`);
  const to = readTime('--to', options.to) ?? systemClock.now() + 1;
  const from = readTime('--from', options.from) ?? to - DEFAULT_DAYS * DAY_MS;
  if (from >= to) throw usageFault('--from: expected a time before --to');
  const span = { from: isoTime(from), to: isoTime(to) };
  const { items, hasMore } = await read({ ...span, group });
  if (hasMore) inform(options, `Only the first ${MOST_ROWS} rows are shown. GET /admin/v1/costs has all of them.`);
  const json = { ...span, group_by: [group], items, has_more: hasMore };
  show(options, { json, text: describe(options.by, items) });
}

function describe(by: string, items: readonly CostRowView[]): string {
  if (items.length === 0) return 'No live order of this time has a known cost.';
  const rows = items.map((row) => [
    row.model_id ?? row.account_id ?? row.engine ?? '',
    row.orders,
    row.revenue,
    row.expected,
    row.told,
    row.without_amount < row.orders - row.unknown ? row.margin : 'not known',
    row.without_amount,
    row.unknown,
    row.unknown_cost,
    row.differing,
    row.below_cost,
  ]);
  const heading = [
    'ORDERS',
    'REVENUE USD',
    'EXPECTED',
    'TOLD',
    'MARGIN',
    'COST UNKNOWN',
    'OUTCOME UNKNOWN',
    'ITS COST',
    'DIFFER',
    'BELOW COST',
  ];
  return table([by.toUpperCase(), ...heading], rows);
}

function readTime(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw usageFault(`${option}: expected a date such as 2026-11-01, found '${text}'`);
  return time;
}
