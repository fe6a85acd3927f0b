import { stat } from 'node:fs/promises';
import { useWorld, type World, world } from '@darkroom-service/contract';
import type { ManualClock } from '../helpers/task-services.ts';
import type { Seeded } from './seeded.ts';

/** One process, or the outside world: its timers end with it. */
export interface SimulatedWorld extends World {
  readonly isDead: boolean;
  /** Ends the process: none of its timers fires any more. */
  kill(): void;
  /** Stops the process for so long: its timers fire late, one after the other. */
  stall(ms: number): void;
  readonly stalledUntil: number;
  /** Calls after so many milliseconds even if the process dies: what its database had begun is rolled back. */
  alsoDead(run: () => void, ms: number): void;
}

interface Event {
  readonly at: number;
  readonly place: number;
  readonly run: () => void;
  readonly owner: SimulatedWorld;
  /** What has to be free of both a death and a `clearTimeout`. */
  readonly isOn: () => boolean;
}

/** Runs several processes in one thread, one event after another, in a time that passes only between events. */
export class Simulation {
  readonly #clock: ManualClock;
  readonly #seeded: Seeded;
  #elapsedMs = 0;
  readonly #events: Event[] = [];
  #placed = 0;

  /** @param clock the clock of everything, which only the simulation moves */
  constructor(clock: ManualClock, seeded: Seeded) {
    this.#clock = clock;
    this.#seeded = seeded;
  }

  /** Milliseconds of the simulation, which no jump of the clock changes. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  createWorld(): SimulatedWorld {
    let isDead = false;
    let stalledUntil = 0;
    const start = (run: () => void, afterMs: number, repeats: boolean) => {
      // As Node: else a loop that rests for the fraction of a millisecond that is left never comes to its end.
      const ms = Math.max(1, Math.trunc(afterMs) || 1);
      let isOn = true;
      const enter = () =>
        this.#enter(
          ms,
          () => {
            if (repeats) enter();
            else isOn = false;
            run();
          },
          own,
          () => isOn && !isDead,
        );
      enter();
      const stop = () => {
        isOn = false;
      };
      const timer = { ref: () => timer, unref: () => timer, hasRef: () => true, stop };
      return timer as unknown as ReturnType<World['setTimeout']>;
    };
    const stop = (timer: unknown) => (timer as { stop(): void } | null | undefined)?.stop();
    const seeded = this.#seeded;
    const own: SimulatedWorld = {
      get isDead() {
        return isDead;
      },
      kill() {
        isDead = true;
        stalledUntil = 0;
      },
      stall: (ms) => {
        stalledUntil = Math.max(stalledUntil, this.#elapsedMs + ms);
      },
      get stalledUntil() {
        return stalledUntil;
      },
      now: () => this.#clock.now(),
      monotonic: () => this.#elapsedMs,
      setTimeout: (run, ms) => start(run, ms, false),
      clearTimeout: stop,
      setInterval: (run, ms) => start(run, ms, true),
      clearInterval: stop,
      setImmediate: (run) => own.alsoDead(run, 0),
      alsoDead: (run, ms) => this.#enter(ms, run, own, () => true),
      timeout: (ms) => {
        const controller = new AbortController();
        start(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms, false);
        return controller.signal;
      },
      random: () => seeded.random(),
      randomBytes: (length) => seeded.bytes(length),
      randomUUID: () => seeded.uuid(),
    };
    return own;
  }

  /**
   * Runs events until a condition holds.
   * @param look called after each event
   * @throws Error if it does not within a simulated time
   */
  async run(isDone: () => boolean, withinMs: number, look: () => void = () => {}): Promise<void> {
    const until = this.#elapsedMs + withinMs;
    const before = world;
    try {
      await settled();
      while (!isDone()) {
        const event = this.#next();
        if (event === undefined || event.at > until) throw new Error('it did not end in time');
        this.#clock.advance(event.at - this.#elapsedMs);
        this.#elapsedMs = event.at;
        useWorld(event.owner);
        event.run();
        await settled();
        look();
      }
    } finally {
      useWorld(before);
    }
  }

  #enter(inMs: number, run: () => void, owner: SimulatedWorld, isOn: () => boolean): void {
    const event = { at: this.#elapsedMs + Math.max(0, inMs || 0), place: this.#placed++, run, owner, isOn };
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // The last one is next.
      if (this.#events[middle]!.at > event.at) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }

  #next(): Event | undefined {
    for (let event = this.#events.pop(); event !== undefined; event = this.#events.pop()) {
      if (!event.isOn()) continue;
      const lateMs = event.owner.stalledUntil - Math.max(event.at, this.#elapsedMs);
      if (lateMs <= 0) return event;
      this.#enter(event.owner.stalledUntil - this.#elapsedMs, event.run, event.owner, event.isOn);
    }
    return undefined;
  }
}

/** Resolves once nothing runs any more: no microtask, and no call of a file. */
async function settled(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const active = process.getActiveResourcesInfo();
    // A file's call needs its time in another thread; to ask again and again would take the processor from it.
    if (active.some((name) => /^FS|FileHandle/.test(name))) await stat(import.meta.filename);
    else if (!active.includes('Immediate')) return;
  }
}
