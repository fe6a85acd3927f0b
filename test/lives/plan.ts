import type { SpendWindow } from '@darkroom-service/contract';
import { createSeeded } from './seeded.ts';

/** The kinds of faults. A plan has the probability of each at every point where it can happen. */
export const FAULTS = [
  'deaths',
  'stops',
  'stalls',
  'powerCuts',
  'lostConnections',
  'unknownCommits',
  'storageFaults',
  'fullDisks',
  'upstreamFaults',
  'outages',
  'rareRefusals',
  'damagedResults',
  'callbackFaults',
  'receiverFaults',
  'clockJumps',
  'missingEngines',
] as const;
export type FaultKind = (typeof FAULTS)[number];

/**
 * The simulation of a seed. The seed makes all choices within it, so the same plan has the same story. A failing plan
 * is shrunk by making its numbers smaller.
 */
export interface Plan extends Readonly<Record<FaultKind, number>> {
  readonly seed: number;
  readonly orders: number;
  /** A fault at a point, such as `deaths at before the commit of running`, that happens more often; null = none. */
  readonly aim: string | null;
  /** 1: an embedded database whose disk flushes. More: machines over one database that confirms what it has stored. */
  readonly processes: number;
  /** Of the account, in micro-dollars; null = none. */
  readonly creditLimit: number | null;
  /** Of the key, in its window, in micro-dollars; null = none. */
  readonly spendLimit: number | null;
  readonly spendWindow: SpendWindow;
  /** Of each end user of the key, in the same window, in micro-dollars; null = none. */
  readonly endUserLimit: number | null;
  /** How many end users order; 0 = orders are of none. */
  readonly endUsers: number;
  /** In so many milliseconds a new day and a new month begin; null = not before the end. */
  readonly untilNewMonthMs: number | null;
  /** Slots of the key; 0 = any number. */
  readonly concurrency: number;
  /** The probability that a client does each of these to its order. */
  readonly cancels: number;
  readonly deletions: number;
  /** How many upstreams make the model: an order goes on from one to the next. */
  readonly routes: number;
  /** Whether an addition judges orders and results, and refuses some. */
  readonly moderates: boolean;
  /** How long the service keeps an order's files. */
  readonly retentionMs: number;
  /** How long the service works on an order before it gives up. */
  readonly deadlineMs: number;
  /** How many orders a batch has; 0 = there is none. */
  readonly batch: number;
  /** How many of them may run at once; null = any number. */
  readonly maxParallel: number | null;
  /** Whether an operator restores a backup of some time ago. */
  readonly restores: boolean;
  /** Whether what was restored goes on as a copy, to which the orders of its original do not belong. */
  readonly copies: boolean;
  /** Whether operators may revoke the key. */
  readonly revokes: boolean;
  /** How many deeds operators do. */
  readonly deeds: number;
}

/** Returns the name of an end user, counted from 1. */
export const endUserOf = (place: number): string => `user ${place}`;

/** Returns the settings of the service. */
export const settingsOf = ({ deadlineMs, retentionMs }: Plan) => ({
  // Shorter than in production, so that a story ends sooner. Orders of which nobody can know anything end with it.
  softDeadlineMs: 60_000,
  upstreamWaitMs: 120_000,
  hardDeadlineMs: deadlineMs,
  retentionMs,
});

/** Returns the statements that give the account and the key their limits. */
export const limitsOf = ({ creditLimit, concurrency, spendWindow, spendLimit, endUserLimit }: Plan): string =>
  `update accounts set credit_limit = ${creditLimit};
    update api_keys set concurrency = ${concurrency}, spend_${spendWindow} = ${spendLimit},
      end_user_${spendWindow} = ${endUserLimit}`;

const DAY_MS = 86_400_000;
/** So long a process may stand still. */
export const LONGEST_STALL_MS = 150_000;

/** What can only go wrong between machines and their database server. */
const BETWEEN_MACHINES: readonly (FaultKind | null)[] = ['stalls', 'lostConnections', 'unknownCommits'];

/** Makes the plan of a seed. @param aim a fault that happened seldom until now */
export function planOf(seed: number, orders: number, aim: string | null = null): Plan {
  const { pick } = createSeeded(seed ^ 0x5eed);
  const aimed = FAULTS.find((kind) => aim?.startsWith(`${kind} at `)) ?? null;
  const machines = pick([1, 1, 2, 3]);
  const processes = BETWEEN_MACHINES.includes(aimed) ? Math.max(2, machines) : aimed === 'powerCuts' ? 1 : machines;
  const isAlone = processes === 1;
  /** What is aimed at can happen. */
  const rate = (kind: FaultKind, ...rates: readonly [number, ...number[]]) =>
    Math.max(pick(rates), kind === aimed ? Math.max(...rates) : 0);
  const restores = isAlone && pick([false, false, true]);
  return {
    seed,
    orders,
    aim,
    processes,
    creditLimit: pick([null, 400_000, 900_000]),
    spendLimit: pick([null, null, 600_000, 100_000_000]),
    concurrency: pick([0, 0, 2, 5]),
    cancels: pick([0.1, 0.3]),
    deletions: pick([0.1, 0.3]),
    routes: pick([1, 2, 3]),
    moderates: pick([false, false, true]),
    deadlineMs: pick([400_000, 400_000, 400_000, 60_000]),
    batch: pick([0, 0, 8, 70]),
    maxParallel: pick([null, 3]),
    restores,
    copies: pick([false, true]) && restores,
    // What was revoked since the backup would be valid again.
    revokes: pick([false, false, true]) && !restores,
    deeds: pick([0, 5, 15]),
    deaths: rate('deaths', 0, 0.002, 0.005, 0.015),
    stops: rate('stops', 0, 0, 0.002, 0.006),
    stalls: isAlone ? 0 : rate('stalls', 0, 0.003, 0.01),
    powerCuts: isAlone ? rate('powerCuts', 0, 0.3, 0.8) : 0,
    lostConnections: isAlone ? 0 : rate('lostConnections', 0, 0.005, 0.02),
    unknownCommits: isAlone ? 0 : rate('unknownCommits', 0, 0.005, 0.02),
    storageFaults: rate('storageFaults', 0, 0, 0.05, 0.2),
    fullDisks: rate('fullDisks', 0, 0, 0.005, 0.02),
    upstreamFaults: rate('upstreamFaults', 0, 0.05, 0.1, 0.2),
    outages: rate('outages', 0, 0, 0.001, 0.005),
    rareRefusals: rate('rareRefusals', 0, 0.001, 0.004),
    damagedResults: rate('damagedResults', 0, 0, 0.05),
    callbackFaults: rate('callbackFaults', 0, 0.1, 0.4),
    receiverFaults: rate('receiverFaults', 0, 0.1, 0.4),
    clockJumps: rate('clockJumps', 0, 0, 0.001),
    // A release judges the orders of before by the engines that are there (docs/operating.md).
    missingEngines: restores ? 0 : rate('missingEngines', 0, 0, 0.02, 0.1),
    spendWindow: pick(['total', 'total', 'day', 'month']),
    endUserLimit: pick([null, 200_000, 600_000]),
    endUsers: pick([0, 0, 1, 3]),
    retentionMs: pick([30 * DAY_MS, 30 * DAY_MS, 30 * DAY_MS, 90_000]),
    untilNewMonthMs: pick([null, null, 5_000, 30_000, 120_000]),
  };
}
