import type { Tone } from '../../components/status-mark.tsx';
import { formatSeconds } from '../../format.ts';

export const NOT_KNOWN = 'not known yet';

/** What one part of the service does. */
export interface Tile {
  readonly name: string;
  readonly tone: Tone;
  readonly says: string;
  /** The way to its cause. */
  readonly href: string;
}

/** What was seen of one part, and when. */
export interface Seen {
  readonly name: string;
  readonly href: string;
  /** What is wrong now. */
  readonly faults: readonly string[];
  /** What some models lack while the others are made; absent = nothing. */
  readonly lacks?: Pick<Tile, 'says' | 'href'> | undefined;
  /** What it says if nothing is wrong. */
  readonly well: string;
  /** When each part was last seen to work; undefined = not yet. The oldest one counts. */
  readonly at: readonly (string | undefined)[];
  /** How long one look counts, in milliseconds. */
  readonly freshMs: number;
}

/** Says how a part does: well only if it was seen to work a short while ago. @param now by the service's clock */
export function seenTile({ name, href, faults, lacks, well, at, freshMs }: Seen, now: number): Tile {
  const times = at.map((time) => (time === undefined ? Number.NaN : Date.parse(time)));
  const ageMs = times.length === 0 ? Number.NaN : Math.max(0, now - Math.min(...times));
  const age = Number.isNaN(ageMs) ? null : ageText(Math.round(ageMs / 1000));
  const [fault] = faults;
  if (fault !== undefined) {
    return { name, href, tone: 'bad', says: faults.length > 1 ? `${fault} and ${faults.length - 1} more` : fault };
  }
  if (age === null) return { name, href, tone: 'quiet', says: NOT_KNOWN };
  if (ageMs > freshMs) return { name, href, tone: 'quiet', says: `last seen to work ${age} ago` };
  if (lacks !== undefined) return { name, tone: 'quiet', ...lacks };
  return { name, href, tone: 'good', says: `${well}, seen ${age} ago` };
}

/** Tenths of a second say nothing about an age. */
function ageText(seconds: number): string {
  return seconds < 10 ? `${seconds} s` : formatSeconds(seconds);
}
