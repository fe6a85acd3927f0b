import type { Fixed } from '@darkroom-service/store';
import type { Addition } from '../../kernel.ts';

declare module '../../database/schema.ts' {
  interface Schema {
    task_tags: TaskTagsTable;
  }
}

/** A tag of a customer on a task. It is erased with the task. */
interface TaskTagsTable {
  task_id: Fixed<string>;
  tag: Fixed<string>;
  /** Key and end user of the task. */
  api_key_id: Fixed<string>;
  end_user: Fixed<string | null>;
  created_at: Fixed<number>;
}

const TAG_TABLES = `
create table task_tags (
  task_id text not null, tag text not null, api_key_id text not null, end_user text, created_at bigint not null,
  constraint task_tags_pk primary key (task_id, tag)
);
create index task_tags_by_tag on task_tags (api_key_id, tag, task_id);
create index task_tags_by_end_user on task_tags (api_key_id, end_user, tag, task_id) where end_user is not null;
`;

/** Words of customers for their tasks, by which lists can be filtered. */
export const TAGS: Addition = {
  name: 'tags',
  tables: TAG_TABLES,
  hooks: {
    personalTables: [{ table: 'task_tags', taskColumn: 'task_id' }],
    erased: (trx, { id }) => trx.run(trx.builder.deleteFrom('task_tags').where('task_id', '=', id)),
  },
  open: () => ({
    async http(kernel) {
      const [{ tagRoutes }, { TAG_OPERATIONS }, { TAG_LISTS }, { Tag, TaskTags }] = await Promise.all([
        import('./tag-routes.ts'),
        import('./tag-operations.ts'),
        import('./tag-lists.ts'),
        import('./tag-wire.ts'),
      ]);
      return {
        v1: (v1) => tagRoutes(v1, kernel),
        operations: TAG_OPERATIONS,
        section: ['Tags', 'Your own words for tasks, which lists can be filtered by.'],
        components: [TaskTags, Tag],
        lists: TAG_LISTS,
      };
    },
  }),
};
