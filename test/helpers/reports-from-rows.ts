import { type CostGroup, formatMicros, type UsageGroup } from '@darkroom-service/contract';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import type { Session } from '../../src/database/database.ts';

/** Reports computed here from all rows, one by one. */

interface Span<Group> {
  readonly from: number;
  readonly to: number;
  readonly groupBy: readonly Group[];
}

export async function usageFromRows(
  session: Session,
  keys: readonly OrderingKey[],
  {
    from,
    to,
    groupBy,
    endUser,
    timing,
    timezone,
  }: Span<UsageGroup> & { readonly endUser: string | null; readonly timing: boolean; readonly timezone: string },
) {
  const rows = (await session.all(session.builder.selectFrom('tasks').selectAll())).filter(
    (row) =>
      keys.some(({ id }) => id === row.api_key_id) &&
      row.created_at >= from &&
      row.created_at < to &&
      (endUser === null || row.end_user === endUser),
  );
  // The Swedish format of a date is that of ISO 8601.
  const days = new Intl.DateTimeFormat('sv', { timeZone: timezone });
  const groupOf = (row: (typeof rows)[number], group: UsageGroup) =>
    group === 'day' ? days.format(row.created_at) : row[group];
  return grouped(rows, groupBy, groupOf).map(([values, members]) => {
    const times = members
      .flatMap((row) => (row.status === 'succeeded' ? [(row.completed_at ?? 0) - row.created_at] : []))
      .sort((one, other) => one - other);
    const nearest = (percent: number) => {
      const found = times[Math.ceil((times.length * percent) / 100) - 1];
      return found === undefined ? null : found / 1000;
    };
    return {
      ...values,
      tasks: members.length,
      charged: formatMicros(sum(members, (row) => row.charged ?? 0)),
      held: formatMicros(sum(members, (row) => (row.charged === null ? row.price : 0))),
      currency: 'USD',
      ...(timing ? { seconds: { p50: nearest(50), p95: nearest(95) } } : {}),
    };
  });
}

export async function costsFromRows(session: Session, { from, to, groupBy }: Span<CostGroup>) {
  const rows = (await session.all(session.builder.selectFrom('task_costs').selectAll())).filter(
    (row) => row.settled_at >= from && row.settled_at < to,
  );
  // Without groups there is one row, and none without orders.
  if (rows.length === 0) return [];
  return grouped(rows, groupBy, (row, group) => row[group]).map(([values, members]) => {
    const costOf = (row: (typeof rows)[number]) => row.told ?? row.expected;
    const unknown = members.filter((row) => row.outcome === 'unknown');
    const unstated = members.filter((row) => row.outcome !== 'unknown' && costOf(row) === null);
    const known = members.filter((row) => row.outcome !== 'unknown' && costOf(row) !== null);
    const count = (holds: (row: (typeof rows)[number]) => boolean) => members.filter(holds).length;
    return {
      ...values,
      orders: members.length,
      unsuccessful: count((row) => row.outcome === 'failed' || row.outcome === 'canceled'),
      unknown: unknown.length,
      revenue: formatMicros(sum(members, (row) => row.charged)),
      expected: formatMicros(sum(members, (row) => row.expected ?? 0)),
      told: formatMicros(sum(members, (row) => row.told ?? 0)),
      cost: formatMicros(sum(known, (row) => costOf(row) ?? 0)),
      margin: formatMicros(sum(known, (row) => row.charged - (costOf(row) ?? 0))),
      without_amount: unstated.length,
      revenue_without_amount: formatMicros(sum(unstated, (row) => row.charged)),
      unknown_cost: formatMicros(sum(unknown, (row) => costOf(row) ?? 0)),
      differing: count(
        (row) => row.told !== null && row.expected !== null && Math.abs(row.told - row.expected) * 20 > row.expected,
      ),
      below_cost: count((row) => row.outcome === 'succeeded' && (costOf(row) ?? 0) > row.charged),
      currency: 'USD',
    };
  });
}

/** Groups rows, in the order of the reports: by each value in turn, null first. */
function grouped<Row, Group extends string>(
  rows: readonly Row[],
  groups: readonly Group[],
  groupOf: (row: Row, group: Group) => string | null,
): [Record<string, string | null>, Row[]][] {
  const found = new Map<string, [Record<string, string | null>, Row[]]>();
  if (groups.length === 0) found.set('', [{}, []]);
  for (const row of rows) {
    const values = Object.fromEntries(groups.map((group) => [group, groupOf(row, group)]));
    const name = groups.map((group) => values[group] ?? '').join('\n');
    const [, members] = found.get(name) ?? found.set(name, [values, []]).get(name)!;
    members.push(row);
  }
  const isBefore = (one: string, other: string) => (one < other ? -1 : 1);
  return [...found].sort(([one], [other]) => isBefore(one, other)).map(([, group]) => group);
}

function sum<Row>(rows: readonly Row[], amountOf: (row: Row) => number): number {
  return rows.reduce((total, row) => total + amountOf(row), 0);
}
