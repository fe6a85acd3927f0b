import { world } from '@darkroom-service/contract';
import { ANONYMOUS } from '../../accounts/budgets.ts';

/** Time that one key's requests may take of a turn of the event loop while another key is served too. */
const LONGEST_MS = 20;
/** Requests of each waiting key that begin in one turn of the event loop. */
const AT_ONCE = 16;
/** Time after its last request for which a key counts as served. */
const ACTIVE_MS = 1_000;

/**
 * Lets a request of a key begin.
 * @param keyId left out: the request has no key
 * @returns null if it may begin at once, else a promise of its turn.
 */
export type TakeKeyTurn = (keyId?: string) => Promise<void> | null;

interface Seen {
  readonly key: string;
  at: number;
}

/**
 * Shares the process between keys: when hundreds of requests of one key arrive at once, a few of them begin in each
 * turn of the event loop, so that the requests of others come between. A key that is alone is never held back.
 * @param now milliseconds of a steady clock.
 */
export function createKeyTurns(now: () => number = () => world.monotonic()): TakeKeyTurn {
  const waiting = new Map<string, (() => void)[]>();
  /** The two keys that were served last. */
  let latest: Seen = { key: '', at: Number.NEGATIVE_INFINITY };
  let earlier: Seen = latest;
  /** Time when the first request of this turn of the event loop began; null before it. */
  let turnBegan: number | null = null;
  let begunInTurn = new Map<string, number>();

  function nextTurn(): void {
    turnBegan = null;
    begunInTurn = new Map();
    for (const [key, queue] of waiting) {
      const begins = queue.splice(0, AT_ONCE);
      if (queue.length === 0) waiting.delete(key);
      begunInTurn.set(key, begins.length);
      for (const begin of begins) begin();
    }
    if (waiting.size > 0) world.setImmediate(nextTurn);
  }

  return (key = ANONYMOUS) => {
    const at = now();
    if (latest.key === key) latest.at = at;
    else [earlier, latest] = [latest, { key, at }];
    const queue = waiting.get(key);
    if (queue !== undefined) return new Promise((resolve) => queue.push(resolve));
    if (turnBegan === null) {
      turnBegan = at;
      if (waiting.size === 0) world.setImmediate(nextTurn);
    }
    const begun = (begunInTurn.get(key) ?? 0) + 1;
    const isAlone = at - earlier.at > ACTIVE_MS;
    if (isAlone || begun <= AT_ONCE || at - turnBegan < LONGEST_MS) {
      begunInTurn.set(key, begun);
      return null;
    }
    return new Promise((resolve) => waiting.set(key, [resolve]));
  };
}
