import type { DataOf } from '../../api/operations.ts';
import { formatShare } from '../../format.ts';

export type Scope = 'key' | 'account';
export type UsageRow = DataOf<'GET /v1/account/usage'>['items'][number];

/** Totals of one day or model over all statuses. Amounts are in dollars. */
export interface UsageSum {
  readonly name: string;
  readonly orders: number;
  readonly spent: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
  readonly open: number;
}

const DAY_MS = 86_400_000;

/** Sums rows by a name. */
export function sumsBy(rows: readonly UsageRow[], nameOf: (row: UsageRow) => string | undefined): UsageSum[] {
  const sums = new Map<string, UsageSum>();
  for (const row of rows) {
    const name = nameOf(row) ?? '';
    sums.set(name, add(sums.get(name) ?? emptySum(name), row));
  }
  return [...sums.values()];
}

/** Returns every day of the period, also those without an order. */
export function fillDays(sums: readonly UsageSum[], from: string, days: number): UsageSum[] {
  const known = new Map(sums.map((sum) => [sum.name, sum]));
  return Array.from({ length: days }, (_, index) => {
    const name = new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10);
    return known.get(name) ?? emptySum(name);
  });
}

/** Formats the success rate of the succeeded and failed orders. */
export function shareOf({ succeeded, failed }: UsageSum): string {
  return succeeded + failed === 0 ? '–' : formatShare(succeeded / (succeeded + failed));
}

function emptySum(name: string): UsageSum {
  return { name, orders: 0, spent: 0, succeeded: 0, failed: 0, canceled: 0, open: 0 };
}

function add(sum: UsageSum, row: UsageRow): UsageSum {
  const tasks = (...statuses: string[]) => (statuses.includes(row.status ?? '') ? row.tasks : 0);
  return {
    name: sum.name,
    orders: sum.orders + row.tasks,
    spent: Math.round((sum.spent + Number(row.charged)) * 1e6) / 1e6,
    succeeded: sum.succeeded + tasks('succeeded'),
    failed: sum.failed + tasks('failed'),
    canceled: sum.canceled + tasks('canceled'),
    open: sum.open + tasks('queued', 'processing'),
  };
}
