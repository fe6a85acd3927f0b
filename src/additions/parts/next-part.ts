/** The part of a cell in the capacity of an upstream account, or in a limit per minute, as the shared table has it. */
export interface Part {
  /** What the cell may still be using. All cells together hold no more than the whole. */
  readonly held: number;
  /** What the cell may use from now on. */
  readonly limit: number;
  /** What it could use now: orders that wait or are in flight. */
  readonly wanted: number;
  /** How often the limit was lowered. */
  readonly lowered: number;
}

export const NO_PART: Part = { held: 0, limit: 0, wanted: 0, lowered: 0 };

/** Milliseconds. What a process measures, it measures by its own monotonic clock. */
export interface PartTimes {
  /** How long a process uses its part after the cell last wrote it: others count from then whether the cell is gone. */
  readonly trustMs: number;
  /** From a lowered limit until nobody uses the higher one: more than `trustMs` and the longest claim together. */
  readonly settleMs: number;
  /** A cell that has written nothing for so long loses its part. By then its orders are no longer at the upstream. */
  readonly goneMs: number;
  /** How long the cells take turns where there is less than 1 for each. */
  readonly turnMs: number;
}

export const PART_TIMES: PartTimes = { trustMs: 60_000, settleMs: 90_000, goneMs: 900_000, turnMs: 600_000 };

/**
 * Returns what a cell writes next of its part. It may use more only as far as the others hold less, and holds less only
 * when nothing of it can be in use any more. So lost answers, and processes and cells that stop, cost time only.
 */
export function nextPart(
  part: Part,
  now: {
    readonly whole: number;
    /** What the other cells hold together. */
    readonly othersHold: number;
    /** The fair part. */
    readonly target: number;
    readonly wanted: number;
    /** What the cell uses, counted after `isSettled` was true. */
    readonly used: number;
    /** Nobody uses a limit from before it was lowered the last time. */
    readonly isSettled: boolean;
  },
): Part {
  const { target, wanted } = now;
  const held = now.isSettled ? Math.min(part.held, Math.max(part.limit, now.used)) : part.held;
  if (target > part.limit) {
    const limit = Math.max(part.limit, Math.min(target, Math.max(held, now.whole - now.othersHold)));
    return { ...part, held: Math.max(held, limit), limit, wanted };
  }
  if (target < part.limit && now.isSettled) return { held, limit: target, wanted, lowered: part.lowered + 1 };
  return { ...part, held, wanted };
}
