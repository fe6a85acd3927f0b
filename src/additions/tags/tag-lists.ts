import { type Static, Type } from 'typebox';
import type { TaskListAddition } from '../../kernel-http.ts';
import { cleanTag } from './clean-tag.ts';
import { TagName } from './tag-wire.ts';
import { withTags } from './tags-of-tasks.ts';

const query = {
  tag: Type.Optional(TagName),
  include: Type.Optional(Type.Enum(['tags'], { description: 'tags: each task of the answer has its `tags`' })),
};
const TagQuery = Type.Object(query);
type TagQuery = Static<typeof TagQuery>;
type TaskSource = NonNullable<ReturnType<NonNullable<TaskListAddition['source']>>>;

/** Lists of the tasks with a tag, and lists that show the tags of their tasks. */
export const TAG_LISTS: TaskListAddition = {
  query,
  source: ({ tag }: TagQuery) => (tag === undefined ? null : tasksWith(cleanTag(tag))),
  show: async ({ include }: TagQuery, read, tasks) => (include === 'tags' ? await withTags(read, tasks) : tasks),
};

/** Selects the tasks with a tag. A cross join, because SQLite then reads the tags first, which are in order. */
function tasksWith(tag: string): TaskSource {
  return (read, { keyId, lowest, below }) =>
    read.builder
      .selectFrom('task_tags')
      .crossJoin('tasks')
      // Not the other id, which SQLite does not know to be in order.
      .select('task_tags.task_id as id')
      .whereRef('tasks.id', '=', 'task_tags.task_id')
      .where('task_tags.api_key_id', '=', keyId)
      .where('task_tags.tag', '=', tag)
      .where('task_tags.task_id', '<', below)
      .where('task_tags.task_id', '>=', lowest)
      .orderBy('task_tags.task_id', 'desc') as unknown as ReturnType<TaskSource>;
}
