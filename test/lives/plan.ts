import { createSeeded } from './seeded.ts';

/** The kinds of faults. A plan has the probability of each at every point where it can happen. */
export const FAULTS = [
  'deaths',
  'stalls',
  'powerCuts',
  'lostConnections',
  'unknownCommits',
  'storageFaults',
  'upstreamFaults',
  'receiverFaults',
  'clockJumps',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/**
 * The simulation of a seed. The seed makes all choices within it, so the same plan has the same story. A failing plan
 * is shrunk by making its numbers smaller.
 */
export interface Plan extends Readonly<Record<FaultKind, number>> {
  readonly seed: number;
  readonly orders: number;
  /** 1: an embedded database whose disk flushes. More: machines over one database that confirms what it has stored. */
  readonly processes: number;
  /** Of the account, in micro-dollars; null = none. */
  readonly creditLimit: number | null;
  /** Of the key, in total, in micro-dollars; null = none. */
  readonly spendLimit: number | null;
  /** Slots of the key; 0 = any number. */
  readonly concurrency: number;
  /** The probability that a client does each of these to its order. */
  readonly cancels: number;
  readonly deletions: number;
  /** How many deeds operators do. */
  readonly deeds: number;
}

/** Makes the plan of a seed. */
export function planOf(seed: number, orders: number): Plan {
  const { pick } = createSeeded(seed ^ 0x5eed);
  const processes = pick([1, 1, 2, 3]);
  const isAlone = processes === 1;
  return {
    seed,
    orders,
    processes,
    creditLimit: pick([null, 400_000, 900_000]),
    spendLimit: pick([null, null, 1_000_000, 100_000_000]),
    concurrency: pick([0, 0, 2, 5]),
    cancels: pick([0.1, 0.3]),
    deletions: pick([0.1, 0.3]),
    deeds: pick([0, 5, 15]),
    deaths: pick([0, 0.003, 0.01, 0.02]),
    stalls: isAlone ? 0 : pick([0, 0.003, 0.01]),
    powerCuts: isAlone ? pick([0, 0.3, 0.8]) : 0,
    lostConnections: isAlone ? 0 : pick([0, 0.005, 0.02]),
    unknownCommits: isAlone ? 0 : pick([0, 0.005, 0.02]),
    storageFaults: pick([0, 0, 0.05, 0.2]),
    upstreamFaults: pick([0, 0.05, 0.1, 0.2]),
    receiverFaults: pick([0, 0.1, 0.4]),
    clockJumps: pick([0, 0, 0.001]),
  };
}
