import { changeBetween, type TagChange, type Tags } from './task-tags.ts';

/** The tag that is shown as a star. */
export const FAVOURITE = 'favourite';
/** The tag that is shown as a rejection. */
export const REJECTED = 'rejected';
/** Begins the tags that put an order on a board. */
export const BOARD = 'board:';

/** What the user thinks of a result: its tags, some of which have buttons and keys of their own. */
export interface Mark {
  readonly star: boolean;
  readonly rejected: boolean;
  readonly tags: Tags;
}

export function markOf(all: Tags): Mark {
  return {
    star: all.includes(FAVOURITE),
    rejected: all.includes(REJECTED),
    tags: all.filter((tag) => !isMark(tag)),
  };
}

/** Tells whether a tag is shown as a star or a rejection. */
export function isMark(tag: string): boolean {
  return tag === FAVOURITE || tag === REJECTED;
}

/** What keys and buttons make of a mark. A star removes the rejection, and the other way round. */
export const MARKING = {
  star: ({ star }: Mark): Partial<Mark> => (star ? { star: false } : { star: true, rejected: false }),
  reject: ({ rejected }: Mark): Partial<Mark> => (rejected ? { rejected: false } : { rejected: true, star: false }),
} as const;

/** The change of tags that leaves what is wanted, also of marks that are not shown yet. */
export function markingChange(shown: Mark, { star, rejected, tags }: Partial<Mark>): TagChange {
  const { add, remove } = changeBetween(shown.tags, tags ?? shown.tags);
  const wanted: [tag: string, isWanted: boolean][] = [];
  if (star !== undefined) wanted.push([FAVOURITE, star]);
  if (rejected !== undefined) wanted.push([REJECTED, rejected]);
  for (const [tag, isWanted] of wanted) (isWanted ? add : remove).push(tag);
  return { add, remove };
}
