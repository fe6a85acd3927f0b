import { world } from '@darkroom-service/contract';
import type { Permit } from '../queue/queue-capacity.ts';

/** Age until which a permit is used, by the clock of this process. Older permits may be about to be removed. */
const USED_WITHIN_MS = 3_000;
/** Age from which on a permit is replaced as long as orders begin by it. */
const RENEWED_AFTER_MS = 1_500;
/** Pause after a process could reserve no slot ahead. */
const AHEAD_AGAIN_MS = 500;

/**
 * Permits of this process for one queue. A permit is usable while it is young and has orders left. The process asks for
 * permits ahead of orders while such orders are *expected* (`expect`), half of those ahead are used or old, and no
 * question is open (`askAhead`).
 */
export class QueuePermits {
  #permits: readonly Permit[] = [];
  /** Number of orders beyond the waiting ones for which it last had permits. */
  #ahead = 0;
  /** Time when the last order was placed that could have begun at once. */
  #expectedAt = Number.NEGATIVE_INFINITY;
  /** Time from which on it may ask ahead. */
  #asksAt = Number.NEGATIVE_INFINITY;

  get permits(): readonly Permit[] {
    return this.#permits;
  }

  get ahead(): number {
    return this.#ahead;
  }

  /** Whether orders are expected that begin when they are placed. */
  get isExpecting(): boolean {
    return world.monotonic() - this.#expectedAt < USED_WITHIN_MS;
  }

  /** Returns the usable permit with the most orders left; null = there is none. */
  largest(capacity: number): Permit | null {
    return this.#usable(capacity, USED_WITHIN_MS).reduce<Permit | null>(
      (most, permit) => (permit.left > (most?.left ?? 0) ? permit : most),
      null,
    );
  }

  /** From now on orders are expected that begin when they are placed. */
  expect(): void {
    this.#expectedAt = world.monotonic();
  }

  remove(permit: Permit): void {
    this.#permits = this.#permits.filter((other) => other !== permit);
  }

  /** Replaces the ended permits by the granted one. @param ahead number of orders in it that are not placed yet */
  granted(permit: Permit | null, ended: readonly Permit[], ahead: number): void {
    this.#permits = [...this.#permits.filter((other) => !ended.includes(other)), ...(permit === null ? [] : [permit])];
    this.#ahead = ahead;
  }

  /** Tells whether to ask ahead: half of what is ahead is used or old, and no question is open. */
  shouldAskAhead(capacity: number): boolean {
    const left = this.#usable(capacity, RENEWED_AFTER_MS).reduce((sum, permit) => sum + permit.left, 0);
    return this.isExpecting && left <= this.#ahead / 2 && world.monotonic() >= this.#asksAt;
  }

  /** Runs a question for permits ahead. Until it has ended, and for a pause if it brought none, no other begins. */
  async askAhead(ask: () => Promise<unknown>): Promise<void> {
    this.#asksAt = Number.POSITIVE_INFINITY;
    // Without a permit orders are claimed from the queue.
    await ask().catch(() => {});
    this.#asksAt = world.monotonic() + (this.#ahead > 0 ? 0 : AHEAD_AGAIN_MS);
  }

  #usable(capacity: number, withinMs: number): Permit[] {
    const since = world.monotonic() - withinMs;
    return this.#permits.filter((permit) => permit.left > 0 && permit.capacity <= capacity && permit.at > since);
  }
}
