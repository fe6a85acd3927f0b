import { closedObject, pageOf, Text, type Wire } from '@darkroom-service/contract/parts';
import { Type } from 'typebox';

const MOST_TAGS = 20;
/** Number of tasks at which the count of a tag stops. */
export const MOST_COUNTED = 1_000;

/** Pattern of a character: neither a control character nor a line break. */
const SIGN = '[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]';
/**
 * Pattern of a tag: at least one character is no space. No Unicode classes, which not every language's patterns have.
 */
const TAG_PATTERN = `^(?=.*\\S)${SIGN}+$`;

export const TagName = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: TAG_PATTERN,
  description: '1 to 40 characters without control characters; spaces around it are removed',
  examples: ['favourite'],
});

/** Body that replaces the tags of a task. */
export const NewTaskTags = closedObject(
  {
    tags: Type.Array(TagName, {
      maxItems: MOST_TAGS,
      description: `All tags that the task shall have, at most ${MOST_TAGS}; none removes them all`,
    }),
  },
  { title: 'NewTaskTags' },
);

export const TaskTags = Type.Object(
  { task_id: Text, tags: Type.Array(Text, { description: 'In alphabetical order.' }) },
  {
    $id: 'TaskTags',
    description: 'The tags of a task.',
    examples: [{ task_id: 'img_01kafx2r5gq3v8m1t0z6y4n7wd', tags: ['favourite', 'hero'] }],
  },
);
export type TaskTagsView = Wire<typeof TaskTags>;

export const Tag = Type.Object(
  {
    tag: Text,
    tasks: Type.Integer({
      minimum: 1,
      maximum: MOST_COUNTED,
      description: `How many images and videos have the tag; ${MOST_COUNTED} means that many or more.`,
    }),
  },
  {
    $id: 'Tag',
    description: 'A tag that tasks of the key have.',
    examples: [{ tag: 'favourite', tasks: 12 }],
  },
);
export type TagView = Wire<typeof Tag>;

export const TagPage = pageOf(Tag);
