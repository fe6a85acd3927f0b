/**
 * Milliseconds for which work on large files keeps the event loop busy before others have their turn. If a turn were
 * long enough for a chunk of each file, all files would be in memory until the last is complete.
 */
const TURN_MS = 1;

interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
}

/** Waiting work, by rank, then by time. */
const waiting: Waiting[] = [];
let isBusy = false;
let endsAt = 0;

/**
 * Waits for a turn to work on a chunk of a large file: only a few milliseconds of such work are done in one turn of the
 * event loop, however many files there are.
 * @param rank lower ranks have their turn first
 */
export function takeTurn(rank = 0): Promise<void> {
  return new Promise((begin) => {
    waiting.splice(waiting.findLastIndex((other) => other.rank <= rank) + 1, 0, { rank, begin });
    if (isBusy) return;
    isBusy = true;
    setImmediate(startTurn);
  });
}

function startTurn(): void {
  endsAt = performance.now() + TURN_MS;
  grant();
}

/** Grants the next turn. Its work runs in a microtask, before the one that is queued here. */
function grant(): void {
  waiting.shift()?.begin();
  queueMicrotask(() => {
    isBusy = waiting.length > 0;
    if (!isBusy) return;
    if (performance.now() < endsAt) grant();
    else setImmediate(startTurn);
  });
}

/** Limits of one turn in steps and milliseconds, whichever is reached first. */
const MOST_STEPS = 10_000;
const LONGEST_MS = 5;
/** Count of a step that takes long, such as the parts of some kilobytes: the clock is checked after it. */
export const LONG_STEP = 64;

/**
 * Counts the steps of work on data of a caller or an upstream, so that the event loop turns however many parts there
 * are.
 * @example if (steps.isDue()) await steps.turn();
 */
export class Steps {
  #done = 0;
  #lookAt = 0;
  #endsAt = 0;

  /**
   * Counts completed steps.
   * @param count `LONG_STEP` for one that takes long
   * @returns whether to wait for a turn before the next one: after 10,000 steps, or 5 ms
   */
  isDue(count = 1): boolean {
    const isFirst = this.#done === 0;
    this.#done += count;
    if (this.#done < this.#lookAt) return false;
    this.#lookAt = this.#done + LONG_STEP;
    const now = performance.now();
    if (isFirst) this.#endsAt = now + LONGEST_MS;
    return this.#done >= MOST_STEPS || now >= this.#endsAt;
  }

  /** Waits for a turn. Await it directly, without another promise around it: the turn ends with its microtask. */
  turn(): Promise<void> {
    this.#done = 0;
    this.#lookAt = 0;
    return takeTurn();
  }
}
