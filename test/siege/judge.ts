import type { AttackResult } from './run-siege.ts';

/** The limits of what an attack may do. */
export const LIMITS = {
  /** The customer's p99, in milliseconds; or this many times what it was before, where that is more. */
  p99Ms: 100,
  p99Times: 5,
  pauseMs: 250,
  serviceMb: 500,
  /** More than the limit at which a media process ends itself, for what it takes until it looks. */
  childMb: 1_024,
  grownMb: 64,
  /** Processor time beside the customer's, in milliseconds, for a megabyte of an attack that is judged by it. */
  cpuMsPerMb: 100,
} as const;

/** What is quicker at rest is not told from luck. */
const LEAST_AT_REST_MS = 10;

/** Returns the limits that an attack broke; empty where the service held. */
export function brokenLimits(result: AttackResult): readonly string[] {
  return [...brokenPromises(result), ...brokenFigures(result)];
}

/** Promises hold however slow the machine is. */
export function brokenPromises({ orderFaults, ended, during }: AttackResult): readonly string[] {
  const failed = Object.entries(during.failures).map(
    ([answer, times]) => `${times} requests of the customer: ${answer}`,
  );
  return [...orderFaults, ...ended, ...failed];
}

function brokenFigures(result: AttackResult): string[] {
  const { during, pauseMs, memoryBefore, memoryPeak, memoryAfter, cpuMsPerMb } = result;
  const broken: string[] = [];
  if (cpuMsPerMb > LIMITS.cpuMsPerMb) broken.push(`${cpuMsPerMb.toFixed(0)} ms of processor time for a megabyte`);
  const { p99, pause } = longest(result);
  if (during.p99 > p99) broken.push(`p99 ${during.p99.toFixed(0)} ms, at most ${p99.toFixed(0)}`);
  if (pauseMs > pause) broken.push(`the loop paused for ${pauseMs.toFixed(0)} ms, at most ${pause.toFixed(0)}`);
  if (memoryPeak.service > LIMITS.serviceMb) broken.push(`the service took ${memoryPeak.service} MB`);
  if (memoryPeak.child > LIMITS.childMb) broken.push(`a child process took ${memoryPeak.child} MB`);
  const most = memoryBefore.service + LIMITS.grownMb;
  if (memoryAfter.service > most) broken.push(`${memoryAfter.service} MB afterwards, at most ${most}`);
  return broken;
}

function longest({ before, pauseBeforeMs, timesAtRest }: AttackResult): {
  readonly p99: number;
  readonly pause: number;
} {
  if (timesAtRest === null) return { p99: Math.max(LIMITS.p99Ms, LIMITS.p99Times * before.p99), pause: LIMITS.pauseMs };
  const atMost = (atRest: number) => timesAtRest * Math.max(LEAST_AT_REST_MS, atRest);
  return { p99: atMost(before.p99), pause: atMost(pauseBeforeMs) };
}
