import { flatText } from './flat-text.ts';
import { world } from './world.ts';

/** Returns the current time in milliseconds since 1970 UTC. Tests replace it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => world.now() };

const MINUTE_MS = 60_000;
const MINUTES_REMEMBERED = 1_000;
/** Text shared by all times of one minute: nearly all times of an answer fall into few minutes. */
const minutes = new Map<number, string>();
const SECONDS = Array.from({ length: 60 }, (_, second) => `${String(second).padStart(2, '0')}.`);
const MILLISECONDS = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/** Formats a time as the API shows it: ISO 8601, UTC, with milliseconds. @throws RangeError if it is no valid time */
export function isoTime(ms: number): string;
export function isoTime(ms: number | null): string | null;
export function isoTime(ms: number | null): string | null {
  if (ms === null) return null;
  if (!Number.isInteger(ms)) return new Date(ms).toISOString();
  const minute = Math.floor(ms / MINUTE_MS);
  let head = minutes.get(minute);
  if (head === undefined) {
    if (minutes.size >= MINUTES_REMEMBERED) minutes.clear();
    head = new Date(minute * MINUTE_MS).toISOString().slice(0, -'00.000Z'.length);
    minutes.set(minute, head);
  }
  const within = ms - minute * MINUTE_MS;
  const seconds = Math.floor(within / 1000);
  return flatText(head, SECONDS[seconds]!, MILLISECONDS[within - seconds * 1000]!);
}
