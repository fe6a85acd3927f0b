/**
 * How many orders took how long. The steps grow by a tenth, so sums of any number of orders stay small and a percentile
 * is at most 5 % off.
 */
export type Durations = ReadonlyMap<number, number>;

const STEP = Math.log(1.1);
const SHORTEST_SECONDS = 0.1;

export function stepOf(seconds: number): number {
  return Math.round(Math.log(Math.max(SHORTEST_SECONDS, seconds)) / STEP);
}

export function addDurations(...parts: readonly Durations[]): Durations {
  const sum = new Map<number, number>();
  for (const part of parts) for (const [step, count] of part) sum.set(step, (sum.get(step) ?? 0) + count);
  return sum;
}

/** The nearest rank in seconds, to two digits; null without an order. */
export function percentileOf(durations: Durations, share: number): number | null {
  const total = [...durations.values()].reduce((sum, count) => sum + count, 0);
  let passed = 0;
  for (const [step, count] of [...durations].sort(([a], [b]) => a - b)) {
    passed += count;
    if (passed >= Math.ceil(share * total)) return Number(Math.exp(step * STEP).toPrecision(2));
  }
  return null;
}

export function durationsJson(durations: Durations): string {
  return JSON.stringify(Object.fromEntries(durations));
}

export function readDurations(json: string): Durations {
  if (json === '{}') return new Map();
  return new Map(Object.entries(JSON.parse(json) as Record<string, number>).map(([step, n]) => [Number(step), n]));
}
