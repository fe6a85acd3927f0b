/** Milliseconds of virtual time that share a bucket. */
const TICK_MS = 10;
/** Further ahead than anything is planned. */
const BUCKETS = 2 ** 18;

/**
 * A queue of planned events in virtual time: numbers in buckets of ten milliseconds, so that adding and taking one cost
 * the same however many are planned.
 */
export interface Events {
  readonly now: number;
  /** @param event a number below 2^31; @param at milliseconds, at most 40 minutes ahead */
  add(event: number, at: number): void;
  /** Returns the next event; null when nothing is planned. */
  take(): number | null;
}

export function createEvents(): Events {
  const first = new Int32Array(BUCKETS).fill(-1);
  let events = new Int32Array(2 ** 16);
  let next = new Int32Array(2 ** 16);
  let free = -1;
  let used = 0;
  let planned = 0;
  let tick = 0;

  function slot(): number {
    if (free !== -1) {
      const found = free;
      free = next[found]!;
      return found;
    }
    if (used === events.length) {
      events = grown(events);
      next = grown(next);
    }
    return used++;
  }

  return {
    get now() {
      return tick * TICK_MS;
    },
    add(event, at) {
      const due = Math.max(tick + 1, Math.ceil(at / TICK_MS));
      if (due - tick >= BUCKETS) throw new RangeError(`expected at most ${BUCKETS * TICK_MS} ms ahead, found ${at}`);
      const place = slot();
      events[place] = event;
      next[place] = first[due % BUCKETS]!;
      first[due % BUCKETS] = place;
      planned++;
    },
    take() {
      if (planned === 0) return null;
      while (first[tick % BUCKETS] === -1) tick++;
      const place = first[tick % BUCKETS]!;
      first[tick % BUCKETS] = next[place]!;
      next[place] = free;
      free = place;
      planned--;
      return events[place]!;
    },
  };
}

function grown(from: Int32Array): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2);
  to.set(from);
  return to;
}
