declare module '../../../../src/service/added-tempo.ts' {
  interface AddedTempo {
    readonly parts?: Omit<ShareTimes, 'turnMs'>;
  }
}

/** The share of a cell in the capacity of an upstream account, or in a limit per minute, as the shared table has it. */
export interface Share {
  /** The amount that the cell may still be using. All cells together hold no more than the whole. */
  readonly held: number;
  /** The amount that the cell may use from now on. */
  readonly limit: number;
  /** The amount that the cell could use now: orders that wait or are in flight. */
  readonly wanted: number;
  /** Number of times that the limit was lowered. */
  readonly lowered: number;
}

export const NO_SHARE: Share = { held: 0, limit: 0, wanted: 0, lowered: 0 };

/** Times in milliseconds. Each process measures them by its own monotonic clock. */
export interface ShareTimes {
  /**
   * Time for which a process uses its share after the cell last wrote it. From then on, the others count the cell as
   * gone.
   */
  readonly trustMs: number;
  /** Time from a lowered limit until nobody uses the higher one: more than `trustMs` and the longest claim together. */
  readonly settleMs: number;
  /** Silence after which a cell loses its share. By then its orders are no longer at the upstream. */
  readonly goneMs: number;
  /** Length of a turn, if there is less than 1 for each cell. */
  readonly turnMs: number;
}

export const SHARE_TIMES: ShareTimes = { trustMs: 60_000, settleMs: 90_000, goneMs: 900_000, turnMs: 600_000 };

/**
 * Returns the next state of a cell's share. The cell may use more only as far as the others hold less, and holds less
 * only when that part cannot be in use any more. So lost answers, and processes and cells that stop, cost time only.
 */
export function nextShare(
  share: Share,
  now: {
    readonly whole: number;
    /** The amount that the other cells hold together. */
    readonly othersHold: number;
    /** The fair share. */
    readonly target: number;
    readonly wanted: number;
    /** The amount that the cell uses, counted after `isSettled` was true. */
    readonly used: number;
    /** Whether nobody uses a limit from before it was last lowered. */
    readonly isSettled: boolean;
  },
): Share {
  const { target, wanted } = now;
  const held = now.isSettled ? Math.min(share.held, Math.max(share.limit, now.used)) : share.held;
  if (target > share.limit) {
    const limit = Math.max(share.limit, Math.min(target, Math.max(held, now.whole - now.othersHold)));
    return { ...share, held: Math.max(held, limit), limit, wanted };
  }
  if (target < share.limit && now.isSettled) return { held, limit: target, wanted, lowered: share.lowered + 1 };
  return { ...share, held, wanted };
}
