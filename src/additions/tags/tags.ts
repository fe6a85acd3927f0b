import type { Addition } from '../../service/addition.ts';
import { TAG_TABLES } from './tag-tables.ts';

/** The words of customers for their tasks, which lists can be filtered by. */
export const TAGS: Addition = {
  name: 'tags',
  tables: TAG_TABLES,
  hooks: {
    personalTables: [{ table: 'task_tags', taskColumn: 'task_id' }],
    erased: (trx, { id }) => trx.run(trx.builder.deleteFrom('task_tags').where('task_id', '=', id)),
  },
  async http() {
    const [{ tagRoutes }, { TAG_OPERATIONS }, { TAG_LISTS }, { Tag, TaskTags }] = await Promise.all([
      import('./tag-routes.ts'),
      import('./tag-operations.ts'),
      import('./tag-lists.ts'),
      import('./tag-wire.ts'),
    ]);
    return {
      v1: tagRoutes,
      operations: TAG_OPERATIONS,
      section: ['Tags', 'Your own words for tasks, which lists can be filtered by.'],
      components: [TaskTags, Tag],
      lists: TAG_LISTS,
    };
  },
};
