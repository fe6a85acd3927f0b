import type { DataOf } from '../../api/operations.ts';

type Hour = DataOf<'GET /admin/v1/engines/hours'>['items'][number];

const HOUR_MS = 3_600_000;
const HOURS = 24;
const ALL = 'All upstreams';

/** One upstream in each of the last 24 hours. */
export interface DayRow {
  readonly name: string;
  /** Begin of each hour. */
  readonly hours: readonly string[];
  readonly orders: readonly number[];
  readonly failed: readonly number[];
  /** Mean times of the orders that succeeded; null = none. */
  readonly seconds: readonly (number | null)[];
  readonly sums: Sums;
  /** Begin of the hour since which most orders fail, up to the last hour with an end; null = they do not. */
  readonly failsSince: string | null;
}

interface Sums {
  readonly orders: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly seconds: number | null;
}

/** Returns a row of all upstreams if there are several, then each one, those with the most failures first. */
export function dayRows(items: readonly Hour[], now: number): readonly DayRow[] {
  const last = Math.max(Math.floor(now / HOUR_MS) * HOUR_MS, ...items.map(({ hour }) => Date.parse(hour)));
  const hours = Array.from({ length: HOURS }, (_, place) =>
    new Date(last - (HOURS - 1 - place) * HOUR_MS).toISOString(),
  );
  const rows = [...Map.groupBy(items, ({ engine }) => engine)]
    .map(([name, own]) => rowOf(name, hours, own))
    .sort((one, other) => other.sums.failed - one.sums.failed || other.sums.orders - one.sums.orders);
  return rows.length > 1 ? [rowOf(ALL, hours, items), ...rows] : rows;
}

function rowOf(name: string, hours: readonly string[], items: readonly Hour[]): DayRow {
  const sums = hours.map((hour) => sumOf(items.filter((one) => Date.parse(one.hour) === Date.parse(hour))));
  const ended = sums.map((sum, place) => ({ ...sum, place })).filter(({ succeeded, failed }) => succeeded + failed > 0);
  const lastGood = ended.findLast(({ succeeded, failed }) => failed <= succeeded);
  const failsSince = ended.find(({ place }) => place > (lastGood?.place ?? -1));
  return {
    name,
    hours,
    orders: sums.map(({ orders }) => orders),
    failed: sums.map(({ failed }) => failed),
    seconds: sums.map(({ seconds }) => seconds),
    sums: sumOf(items),
    failsSince: failsSince === undefined ? null : (hours[failsSince.place] ?? null),
  };
}

function sumOf(items: readonly Hour[]): Sums {
  const sum = (of: (hour: Hour) => number) => items.reduce((total, one) => total + of(one), 0);
  const succeeded = sum((one) => one.succeeded);
  return {
    orders: sum((one) => one.orders),
    succeeded,
    failed: sum((one) => one.failed),
    seconds: succeeded === 0 ? null : sum((one) => (one.seconds ?? 0) * one.succeeded) / succeeded,
  };
}
