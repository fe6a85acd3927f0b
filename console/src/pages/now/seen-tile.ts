import type { Tone } from '../../components/status-mark.tsx';
import { formatAge } from '../../format.ts';

export const NOT_KNOWN = 'not known yet';

/** The state of a part of the service, as displayed. */
export interface Tile {
  readonly name: string;
  readonly tone: Tone;
  readonly says: string;
  /** Address of the page that shows the cause. */
  readonly href: string;
}

/** The observations of a part, with their times. */
export interface Seen {
  readonly name: string;
  readonly href: string;
  /** Present faults. */
  readonly faults: readonly string[];
  /** A capability that some models lack while the others work; absent = none. */
  readonly lacks?: Pick<Tile, 'says' | 'href'> | undefined;
  /** Text without any faults. */
  readonly well: string;
  /** Times when each part was last seen to work; undefined = not yet. The oldest one counts. */
  readonly at: readonly (string | undefined)[];
  /** Milliseconds for which an observation counts. */
  readonly freshMs: number;
  /** Text while its state is not known, such as by the fault of another part; absent = it is known. */
  readonly unseen?: string | undefined;
}

/** Returns the state of a part: good only if it was seen to work recently. @param now by the service's clock */
export function seenTile({ name, href, faults, lacks, well, at, freshMs, unseen }: Seen, now: number): Tile {
  const times = at.map((time) => (time === undefined ? Number.NaN : Date.parse(time)));
  const ageMs = times.length === 0 ? Number.NaN : Math.max(0, now - Math.min(...times));
  const age = Number.isNaN(ageMs) ? null : formatAge(ageMs / 1000);
  const [fault] = faults;
  if (unseen !== undefined) return { name, href, tone: 'quiet', says: unseen };
  if (fault !== undefined) {
    return { name, href, tone: 'bad', says: faults.length > 1 ? `${fault} and ${faults.length - 1} more` : fault };
  }
  if (age === null) return { name, href, tone: 'quiet', says: NOT_KNOWN };
  if (ageMs > freshMs) return { name, href, tone: 'quiet', says: `last seen to work ${age} ago` };
  if (lacks !== undefined) return { name, tone: 'quiet', ...lacks };
  return { name, href, tone: 'good', says: `${well}, seen ${age} ago` };
}
