import type { LimitedEngine } from '../../src/routing/engine-limits.ts';
import { createRandom, type Random } from './random.ts';

/** A simulated world: the rate of orders, the accounts that place them, and the upstreams that make them. */
export interface World {
  readonly ordersPerSecond: number;
  readonly accounts: number;
  readonly workers: number;
  /** Installations that share the upstream accounts. A key belongs to one of them. */
  readonly cells: number;
  readonly upstreams: number;
  /** The least capacity of an upstream, as a multiple of its share of the orders. */
  readonly leastCapacity: number;
  /** The share of orders that are films. */
  readonly films: number;
  /** Whether upstreams call when an order has ended; one in a hundred calls is lost. */
  readonly callsBack: boolean;
  readonly hours: number;
}

/** A world as large as the largest media services are thought to sell. */
export const LARGE: World = {
  ordersPerSecond: 1_000,
  accounts: 100_000,
  workers: 50,
  cells: 3,
  upstreams: 20,
  leastCapacity: 1.7,
  films: 0.1,
  callsBack: true,
  hours: 24,
};

/** A small one, whose figures are kept: `kept.json`. Its upstreams have more room, so that chance decides less. */
export const SMALL: World = {
  ...LARGE,
  ordersPerSecond: 30,
  accounts: 3_000,
  workers: 9,
  upstreams: 6,
  leastCapacity: 2.2,
  hours: 6,
};

const MODELS_PER_UPSTREAM = 2;
const ROUTES = 3;
/** Seconds of pictures and of films at their upstream, from and to. */
const SECONDS = { picture: [5, 20], film: [60, 300] } as const;
/** What an upstream takes at most, as the same multiple. Nobody knows what it takes, and it changes every two hours. */
const CAPACITY = { most: 3, everyMs: 2 * 3_600_000 } as const;
/** The limit that an upstream account starts with, and its bounds, as multiples of the same. */
const LIMIT = { concurrency: 0.5, floor: 0.1, ceiling: 4 } as const;
/** What an upstream account may submit in a minute, as a multiple of its part of the orders. */
const PACE = 2;
/** One cell after the other has this share of all orders for an hour. */
const BUSY_CELL = { share: 0.6, forMs: 3_600_000 } as const;
/** What a key may have in flight, as a multiple of its part of the orders. */
const KEY_ROOM = 2;
const LEAST_SLOTS = 10;
const OUTAGE_MS = 10 * 60_000;
const OUTAGES_A_DAY = 2;
const DEATHS_A_DAY = 2;
const DAY_MS = 24 * 3_600_000;
/** How much more than on average is ordered at the busiest time, and less at the quietest. */
const SWING = 0.3;

export interface Drawn {
  readonly random: Random;
  nextAccount(now: number): number;
  /** Milliseconds until the next order. */
  untilNext(now: number): number;
  isFilm(): boolean;
  durationMs(isFilm: boolean): number;
  /** Engines that make a model, in the order of the catalog. */
  readonly routes: readonly (readonly number[])[];
  /** The accounts at the upstreams. */
  readonly engines: readonly LimitedEngine[];
  readonly submissionsPerMinute: number;
  /** How many orders the upstream takes at once. It refuses others. */
  capacityOf(upstream: number, now: number): number;
  slotsOf(account: number): number;
  isOut(upstream: number, now: number): boolean;
  /** Returns when the worker last died before `now`; -Infinity if never. */
  diedAt(worker: number, now: number): number;
}

/** Returns the 80th percentile of an order's duration, in seconds. */
export function typicalSeconds(isFilm: boolean): number {
  const [from, to] = SECONDS[isFilm ? 'film' : 'picture'];
  return from + 0.8 * (to - from);
}

/** Draws accounts, upstreams and their capacities; everything follows from the seed. */
export function drawWorld(world: World, seed: number): Drawn {
  const random = createRandom(seed);
  const sums = zipf(world.accounts);
  const total = sums.at(-1) ?? 1;
  const meanSeconds = ([from, to]: readonly [number, number]) => (from + to) / 2;
  const inFlight =
    world.ordersPerSecond *
    (world.films * meanSeconds(SECONDS.film) + (1 - world.films) * meanSeconds(SECONDS.picture));
  const perUpstream = inFlight / world.upstreams;
  const capacities = Array.from({ length: world.upstreams }, () =>
    Array.from({ length: DAY_MS / CAPACITY.everyMs }, () =>
      Math.ceil(perUpstream * (world.leastCapacity + random() * (CAPACITY.most - world.leastCapacity))),
    ),
  );
  const slots = Int32Array.from(sums, (_, account) =>
    Math.max(LEAST_SLOTS, Math.ceil(inFlight * mostShareOf(world, sums, account) * KEY_ROOM)),
  );
  const models = world.upstreams * MODELS_PER_UPSTREAM;
  const starts = (times: number) => Array.from({ length: times }, (_, index) => ((index + random()) / times) * DAY_MS);
  const outages = Array.from({ length: world.upstreams }, () => starts(OUTAGES_A_DAY));
  const deaths = Array.from({ length: world.workers }, () => starts(DEATHS_A_DAY));
  return {
    random,
    nextAccount(now) {
      const account = placeIn(sums, random() * total);
      return Math.min(account - (account % world.cells) + cellAt(world, now, random()), world.accounts - 1);
    },
    untilNext(now) {
      const rate = world.ordersPerSecond * (1 + SWING * Math.sin((2 * Math.PI * now) / DAY_MS));
      return (-Math.log(1 - random()) / rate) * 1000;
    },
    isFilm: () => random() < world.films,
    durationMs(isFilm) {
      const [from, to] = SECONDS[isFilm ? 'film' : 'picture'];
      return (from + random() * (to - from)) * 1000;
    },
    routes: Array.from({ length: models }, (_, model) =>
      Array.from({ length: ROUTES }, (_, route) => (model + route * (1 + (model % 7))) % world.upstreams),
    ),
    engines: Array.from({ length: world.upstreams }, (_, upstream) => {
      const [concurrency, floor, ceiling] = [LIMIT.concurrency, LIMIT.floor, LIMIT.ceiling].map((part) =>
        Math.ceil(perUpstream * part),
      ) as [number, number, number];
      return { name: String(upstream), concurrency, adapts: { floor, ceiling } };
    }),
    submissionsPerMinute: Math.ceil((world.ordersPerSecond / world.upstreams) * 60 * PACE),
    capacityOf: (upstream, now) => capacities[upstream]![Math.floor((now % DAY_MS) / CAPACITY.everyMs)]!,
    slotsOf: (account) => slots[account]!,
    isOut: (upstream, now) =>
      outages[upstream]!.some((start) => now % DAY_MS >= start && now % DAY_MS < start + OUTAGE_MS),
    diedAt: (worker, now) => Math.max(...deaths[worker]!.map((at) => (at <= now ? at : Number.NEGATIVE_INFINITY))),
  };
}

/** What a key orders at most, as a share of all. Those of a cell order for its neighbours too. */
function mostShareOf({ cells }: World, sums: Float64Array, account: number): number {
  const first = account - (account % cells);
  const last = Math.min(first + cells, sums.length) - 1;
  const share = (sums[last]! - (sums[first - 1] ?? 0)) / sums.at(-1)!;
  return cells === 1 ? share : share * BUSY_CELL.share;
}

function cellAt({ cells }: World, now: number, chance: number): number {
  const busy = Math.floor(now / BUSY_CELL.forMs) % cells;
  if (cells === 1 || chance < BUSY_CELL.share) return busy;
  const place = Math.floor(((chance - BUSY_CELL.share) / (1 - BUSY_CELL.share)) * (cells - 1));
  return (busy + 1 + place) % cells;
}

/** The sums of the shares of accounts, of which the n-th orders a n-th of what the first does. */
function zipf(accounts: number): Float64Array {
  const sums = new Float64Array(accounts);
  let sum = 0;
  for (let account = 0; account < accounts; account++) sums[account] = sum += 1 / (account + 1);
  return sums;
}

function placeIn(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
