import { channel } from 'node:diagnostics_channel';

/** A lock that a unit is about to take. */
export interface TakenLock {
  /** The same object for all locks of a unit. */
  readonly unit: object;
  readonly name: string;
}

/** The channel of `node:diagnostics_channel` on which each `TakenLock` is published. */
export const TAKEN_LOCKS = 'darkroom.taken-locks';

const published = channel(TAKEN_LOCKS);

/** Publishes a lock to those who watch the order of locks, if there are any. */
export function publishLock(unit: object, name: string): void {
  if (published.hasSubscribers) published.publish({ unit, name } satisfies TakenLock);
}
