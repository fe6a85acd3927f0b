import type { TaskView as Task } from '@darkroom-service/contract';
import { call } from './client.ts';
import { perform } from './deeds.ts';
import { onTask } from './task-cache.ts';

/** The tag that is shown as a star. */
export const FAVOURITE = 'favourite';
/** The tag that is shown as a rejection. */
export const REJECTED = 'rejected';
/** Prefix of the tags that put an order on a board. */
export const BOARD = 'board:';

/** The user's rating of a result: its tags, of which the star and the rejection have buttons and keys. */
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

/** Changes of a mark by keys and buttons. A star removes the rejection, and vice versa. */
export const MARKING = {
  star: ({ star }: Mark): Partial<Mark> => (star ? { star: false } : { star: true, rejected: false }),
  reject: ({ rejected }: Mark): Partial<Mark> => (rejected ? { rejected: false } : { rejected: true, star: false }),
} as const;

/** Returns the change of tags that leads to the wanted mark, also of marks that are not shown yet. */
export function markingChange(shown: Mark, { star, rejected, tags }: Partial<Mark>): TagChange {
  const { add, remove } = changeBetween(shown.tags, tags ?? shown.tags);
  const wanted: [tag: string, isWanted: boolean][] = [];
  if (star !== undefined) wanted.push([FAVOURITE, star]);
  if (rejected !== undefined) wanted.push([REJECTED, rejected]);
  for (const [tag, isWanted] of wanted) (isWanted ? add : remove).push(tag);
  return { add, remove };
}

export type Tags = NonNullable<Task['tags']>;

export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Returns the change that turns one set of tags into another. */
export function changeBetween(before: Tags, after: Tags): { add: string[]; remove: string[] } {
  return {
    add: after.filter((tag) => !before.includes(tag)),
    remove: before.filter((tag) => !after.includes(tag)),
  };
}

/**
 * Changes the tags that a task has now, because another tab or program may have changed them.
 * @returns the new tags, and the previous ones
 */
export async function sendChange(
  taskId: string,
  change: TagChange,
): Promise<{ readonly tags: Tags; readonly before: Tags }> {
  const request = { path: { task_id: taskId } };
  const { tags: before } = await call(readOperation(taskId), request);
  const body = { tags: [...changedTags(before, change)] };
  const { tags } = await perform(onTask('PUT /v1/images/{task_id}/tags', taskId), { ...request, body });
  return { tags, before };
}

export function changedTags(tags: Tags, { add, remove }: TagChange): Tags {
  return [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])].sort();
}

export function readOperation(taskId: string) {
  return onTask('GET /v1/images/{task_id}/tags', taskId);
}
