import type { Operation } from '../../kernel-http.ts';

/** The operations of tags, by method and path. */
export const TAG_OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /v1/tags': {
    roles: 'see_own_orders',
    id: 'listTags',
    summary: 'List your tags',
    description:
      'By name, each with the number of its tasks. Page with `after`, the last tag of the page before. A client token gets the tags of its end user.',
  },
  ...ofTasks('image', 'Image'),
  ...ofTasks('video', 'Video'),
};

function ofTasks(type: string, Name: string): Readonly<Record<string, Operation>> {
  const article = type === 'image' ? 'an' : 'a';
  return {
    [`GET /v1/${type}s/{task_id}/tags`]: {
      roles: 'see_own_orders',
      id: `get${Name}Tags`,
      summary: `Get the tags of ${article} ${type} task`,
      description: 'Lists show the tags of their tasks with `include=tags`.',
      errors: ['task_not_found'],
    },
    [`PUT /v1/${type}s/{task_id}/tags`]: {
      roles: 'order',
      id: `set${Name}Tags`,
      summary: `Replace the tags of ${article} ${type} task`,
      description:
        'A task may have tags in any state until it is deleted or expires. The tags end with it. Repeating the request changes nothing.',
      errors: ['task_not_found', 'outputs_expired'],
      examples:
        type === 'image'
          ? { tags: { summary: 'A favourite', value: { tags: ['favourite', 'hero'] } } }
          : { tags: { summary: 'No tags', value: { tags: [] } } },
    },
  };
}
