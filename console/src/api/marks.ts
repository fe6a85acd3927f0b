import type { Tags } from './task-tags.ts';

/** The tag that is shown as a star. */
export const FAVOURITE = 'favourite';
/** The tag that is shown as a rejection. */
export const REJECTED = 'rejected';
export const MOST_STARS = 5;
/** Begins the tags that put an order on a board. */
export const BOARD = 'board:';
const RATING = /^stars:([1-5])$/;

/** What the user thinks of a result: its tags, some of which have buttons and keys of their own. */
export interface Mark {
  readonly star: boolean;
  readonly rejected: boolean;
  /** 1 to 5; 0 = not rated. */
  readonly rating: number;
  readonly tags: Tags;
}

export function markOf(all: Tags): Mark {
  return {
    star: all.includes(FAVOURITE),
    rejected: all.includes(REJECTED),
    rating: Number(all.map((tag) => RATING.exec(tag)?.[1]).find((stars) => stars !== undefined) ?? 0),
    tags: all.filter((tag) => !isMark(tag)),
  };
}

export function tagsOf({ star, rejected, rating, tags }: Mark): Tags {
  return [
    ...tags,
    ...(star ? [FAVOURITE] : []),
    ...(rejected ? [REJECTED] : []),
    ...(rating === 0 ? [] : [`stars:${rating}`]),
  ];
}

/** Tells whether a tag is shown as a star, a rejection or a rating. */
export function isMark(tag: string): boolean {
  return tag === FAVOURITE || tag === REJECTED || RATING.test(tag);
}

/** What keys and buttons make of a mark. A star removes the rejection, and the other way round. */
export const MARKING = {
  star: ({ star, rejected }: Mark): Partial<Mark> => ({ star: !star, rejected: rejected && star }),
  reject: ({ star, rejected }: Mark): Partial<Mark> => ({ rejected: !rejected, star: star && rejected }),
  rate:
    (rating: number) =>
    (mark: Mark): Partial<Mark> => ({ rating: mark.rating === rating ? 0 : rating }),
} as const;
