import type { TaskServices } from '../tasks/task-services.ts';

/** Periodic work that one process at a time does for all. */
export interface Chore {
  /** Unique: a process claims its turn by this name. */
  readonly name: string;
  /** Interval of the chore, in milliseconds; at least a minute. */
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** Creates chores. @param signal stops a chore between two portions of its work */
export type CreateChores = (signal: AbortSignal) => readonly Chore[];

/** The period of chores that run once a day, in milliseconds. */
export const DAILY_MS = 24 * 60 * 60_000;
/** Maximum life of an unfinished task: longer than it may wait for others and work, together. */
const LONGEST_LIFE_MS = 7 * DAILY_MS;

/** Returns a time, in milliseconds since 1970 UTC: all tasks that were ordered before it are erased. */
export function erasedBefore({ clock, settings }: Pick<TaskServices, 'clock' | 'settings'>): number {
  return clock.now() - settings.retentionMs - LONGEST_LIFE_MS;
}
