import { channel } from 'node:diagnostics_channel';

/** A lock that a unit is about to take. */
export interface TakenLock {
  /** The same object for all locks of a unit. */
  readonly unit: object;
  readonly name: string;
  /** Whether the unit has changed rows and may wait for the lock while others wait for those rows; false on SQLite. */
  readonly afterWrite: boolean;
}

/** The channel of `node:diagnostics_channel` on which each `TakenLock` is published. */
export const TAKEN_LOCKS = 'darkroom.taken-locks';

const published = channel(TAKEN_LOCKS);

/** Publishes a lock to the subscribers that check the order of locks, if any. */
export function publishLock(lock: TakenLock): void {
  if (published.hasSubscribers) published.publish(lock);
}
