import type { DataOf } from '../../../api/operations.ts';
import { formatMoney } from '../../../components/money.tsx';
import { formatDay, formatTime } from '../../../format.ts';

export type EngineHistory = DataOf<'GET /admin/v1/engines/history'>['items'][number];
export type HistoryPoint = EngineHistory['points'][number];
export type TrendSpan = DataOf<'GET /admin/v1/engines/history'>['span'];

/** Days are UTC days; times are the reader's. */
export function stepName(at: string, span: TrendSpan): string {
  return span === 'month' ? formatDay(at.slice(0, 10)) : formatTime(at);
}

/** Formats an amount of dollars that was a number, with as many decimals as it needs. */
export function formatDollars(amount: number): string {
  return formatMoney(toCents(amount));
}

/** Sums the points of a span. */
export function sumOf(points: readonly HistoryPoint[]) {
  const sum = (of: (point: HistoryPoint) => number) => points.reduce((total, point) => total + of(point), 0);
  const [succeeded, failed] = [sum((point) => point.succeeded), sum((point) => point.failed)];
  const amount = (of: (point: HistoryPoint) => string) => toCents(sum((point) => Number(of(point))));
  return {
    succeeded,
    failed,
    refused: sum((point) => point.refused),
    success: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    rateLimits: sum((point) => point.rate_limits),
    outages: sum((point) => point.outages),
    revenue: amount((point) => point.revenue),
    cost: amount((point) => point.cost),
    margin: amount((point) => point.margin),
  };
}

/** An engine with nothing to show in this span has no plots. */
export function isIdle({ points }: EngineHistory): boolean {
  return points.every(
    (point) =>
      point.succeeded + point.failed + point.refused + point.under_way + point.rate_limits + point.outages === 0 &&
      Number(point.cost) === 0 &&
      Number(point.revenue) === 0,
  );
}

/** Rounds an amount, unless that would hide most of it. */
function toCents(amount: number): string {
  return amount.toFixed(Math.abs(amount) < 0.1 && Math.round(amount * 1e6) !== 0 ? 4 : 2);
}
