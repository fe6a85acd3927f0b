/**
 * How long the work on large files keeps the event loop busy before others have their turn. If a turn were long enough
 * for a piece of each file, all of them would be in memory until the last is whole.
 */
const TURN_MS = 1;

interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
}

/** By rank, then by time. */
const waiting: Waiting[] = [];
let isBusy = false;
let endsAt = 0;

/**
 * Waits for a turn to work on a piece of a large file: only a few milliseconds of such work are done in one turn of the
 * event loop, however many files there are.
 * @param rank lower ones have their turn first
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

/** The work is done in a microtask, and before the one that is queued here after it. */
function grant(): void {
  waiting.shift()?.begin();
  queueMicrotask(() => {
    isBusy = waiting.length > 0;
    if (!isBusy) return;
    if (performance.now() < endsAt) grant();
    else setImmediate(startTurn);
  });
}

/** As much is done in one turn, whichever comes first. */
const MOST_STEPS = 10_000;
const LONGEST_MS = 5;
/** Counts a step that takes long, such as the parts of some kilobytes: the clock is looked at after it. */
export const LONG_STEP = 64;

/**
 * Counts the steps of work on something that a caller or an upstream sent, so that it lets the event loop turn however
 * many parts there are.
 * @example if (steps.isDue()) await steps.turn();
 */
export class Steps {
  #done = 0;
  #lookAt = 0;
  #endsAt = 0;

  /**
   * Counts steps that have been made.
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

  /** Waits for a turn. Await it without another promise around it: its turn is over once its microtask is. */
  turn(): Promise<void> {
    this.#done = 0;
    this.#lookAt = 0;
    return takeTurn();
  }
}
