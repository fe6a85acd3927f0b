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
