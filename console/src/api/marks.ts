import type { Tags } from './task-tags.ts';

/** The tag that is shown as a star. */
export const FAVOURITE = 'favourite';
/** The tag that is shown as a rejection. */
export const REJECTED = 'rejected';

/** What the user thinks of a result: its tags, two of which have buttons of their own. */
export interface Mark {
  readonly star: boolean;
  readonly rejected: boolean;
  readonly tags: Tags;
}

export function markOf(all: Tags): Mark {
  const tags = all.filter((tag) => tag !== FAVOURITE && tag !== REJECTED);
  return { star: all.includes(FAVOURITE), rejected: all.includes(REJECTED), tags };
}

export function tagsOf({ star, rejected, tags }: Mark): Tags {
  return [...tags, ...(star ? [FAVOURITE] : []), ...(rejected ? [REJECTED] : [])];
}
