import type { World } from './world.ts';

/** Results of a simulated fleet. Waits and delays in milliseconds. */
export interface Figures {
  readonly orders: number;
  readonly settled: number;
  readonly waitMean: number;
  readonly waitP99: number;
  /** Jain's index of how long the keys of a class, and the orders of the cells, waited, from 0 to 1 = all alike. */
  readonly fairness: {
    readonly large: number;
    readonly middle: number;
    readonly small: number;
    readonly cells: number;
  };
  /** Mean time from the end at the upstream until it was known. */
  readonly foundAfterMean: number;
  readonly foundAfterP99: number;
  readonly checksPerOrder: number;
  /** Most checks a second in the busiest minute of one upstream's account. */
  readonly mostChecks: number;
  readonly looksPerOrder: number;
  /** Submissions that failed because the upstream was away, per million orders. */
  readonly wastedPerMillion: number;
  /** Submissions that a full upstream refused, per million orders. */
  readonly refusedPerMillion: number;
  /** The share of what the upstreams take that was unused although orders waited for it. */
  readonly unused: number;
  /** How long a cell's part was less than nine tenths of its fair part. */
  readonly behindMean: number;
  readonly behindP99: number;
}

const LARGE = 10;
const MIDDLE = 1_000;
/** Keys with fewer orders say nothing about fairness. */
const LEAST_ORDERS = 20;
/** The upper ends of the histogram's steps grow by this factor from a millisecond. */
const STEP = 1.02;
const STEPS = 1_000;
const MINUTE_MS = 60_000;

/** A cell whose part is less than this share of the fair one is behind. */
const FAIR_ENOUGH = 0.9;
/** How much worse a figure may be than the kept one. */
const TOLERANCE = 0.1;

/** Returns what is worse by a tenth than in the kept figures, in words. */
export function findWorse(found: Figures, kept: Figures): string[] {
  const { fairness: fairnessFound, orders: _orders, settled: _settled, ...costs } = found;
  const worse: string[] = [];
  const tell = (name: string, value: number, before: number) => worse.push(`${name}: ${value}, kept ${before}`);
  for (const [name, value] of Object.entries(costs) as [keyof typeof costs, number][])
    if (value > kept[name] * (1 + TOLERANCE)) tell(name, value, kept[name]);
  for (const [name, value] of Object.entries(fairnessFound) as [keyof Figures['fairness'], number][])
    if (value < kept.fairness[name] * (1 - TOLERANCE)) tell(`fairness of ${name}`, value, kept.fairness[name]);
  if (found.settled !== found.orders) tell('settled', found.settled, found.orders);
  return worse;
}

export function createTally({ accounts, upstreams, cells }: World) {
  const waits = createHistogram();
  const delays = createHistogram();
  const ordersOf = new Int32Array(accounts);
  const waitOf = new Float64Array(accounts);
  const minutes = new Int32Array(upstreams).fill(-1);
  const inMinute = new Int32Array(upstreams);
  const behind = createHistogram();
  const behindSince = new Map<number, number>();
  const ofCells = Array.from({ length: cells }, createHistogram);
  let [orders, settled, checks, mostInMinute, looks, wasted, refused] = [0, 0, 0, 0, 0, 0, 0];
  let [capacity, unused] = [0, 0];

  function fairnessOf(from: number, to: number): number {
    const means: number[] = [];
    for (let account = from; account < Math.min(to, accounts); account++)
      if (ordersOf[account]! >= LEAST_ORDERS) means.push(waitOf[account]! / ordersOf[account]!);
    return jain(means);
  }

  return {
    ordered: () => void orders++,
    submitted(account: number, waitMs: number) {
      waits.add(waitMs);
      ofCells[account % cells]!.add(waitMs);
      ordersOf[account]!++;
      waitOf[account]! += waitMs;
    },
    checked(upstream: number, now: number) {
      checks++;
      const minute = Math.floor(now / MINUTE_MS);
      if (minutes[upstream] !== minute) {
        minutes[upstream] = minute;
        inMinute[upstream] = 0;
      }
      mostInMinute = Math.max(mostInMinute, ++inMinute[upstream]!);
    },
    settled(delayMs: number) {
      settled++;
      delays.add(delayMs);
    },
    looked(claimed: number) {
      if (claimed > 0) looks++;
    },
    wasted: () => void wasted++,
    refused: () => void refused++,
    unused(of: number, count: number) {
      capacity += of;
      unused += count;
    },
    part(place: number, { part, fair, now }: { readonly part: number; readonly fair: number; readonly now: number }) {
      const since = behindSince.get(place);
      if (part < fair * FAIR_ENOUGH) {
        if (since === undefined) behindSince.set(place, now);
      } else if (since !== undefined) {
        behindSince.delete(place);
        behind.add(now - since);
      }
    },
    figures: (): Figures => ({
      orders,
      settled,
      waitMean: waits.mean(),
      waitP99: waits.percentile(0.99),
      fairness: {
        large: fairnessOf(0, LARGE),
        middle: fairnessOf(LARGE, MIDDLE),
        small: fairnessOf(MIDDLE, accounts),
        cells: jain(ofCells.map((cell) => cell.mean())),
      },
      foundAfterMean: delays.mean(),
      foundAfterP99: delays.percentile(0.99),
      checksPerOrder: checks / orders,
      mostChecks: mostInMinute / 60,
      looksPerOrder: looks / orders,
      wastedPerMillion: (wasted / orders) * 1e6,
      refusedPerMillion: (refused / orders) * 1e6,
      unused: unused / capacity,
      behindMean: behind.mean(),
      behindP99: behind.percentile(0.99),
    }),
  };
}

function jain(waitsMs: readonly number[]): number {
  let [sum, squares] = [0, 0];
  for (const waitMs of waitsMs) {
    // Nobody minds the difference between one millisecond and three.
    const seconds = 1 + waitMs / 1000;
    sum += seconds;
    squares += seconds ** 2;
  }
  return waitsMs.length === 0 ? 1 : sum ** 2 / (waitsMs.length * squares);
}

function createHistogram() {
  const steps = new Float64Array(STEPS);
  let [count, sum] = [0, 0];
  return {
    add(value: number) {
      count++;
      sum += value;
      steps[Math.min(STEPS - 1, Math.ceil(Math.log(Math.max(1, value)) / Math.log(STEP)))]!++;
    },
    mean: () => sum / Math.max(1, count),
    percentile(share: number) {
      let step = 0;
      for (let below = steps[0]!; below < count * share; below += steps[step]!) step++;
      return STEP ** step;
    },
  };
}
