import { loadPart } from '@darkroom-service/media/process';
import type { Fixed } from '@darkroom-service/store';
import type { Addition } from '../../kernel.ts';

declare module '../../database/schema.ts' {
  interface Schema {
    delayed_deletions: DelayedDeletionsTable;
  }
}

/**
 * A deleted task whose data are not erased yet: its customer may restore it. The task has `deleted_at` and no
 * `erased_at`. Units write the task's row before this one.
 */
interface DelayedDeletionsTable {
  task_id: Fixed<string>;
  delete_at: Fixed<number>;
}

const DELETION_TABLES = `
create table delayed_deletions (
  task_id text not null, delete_at bigint not null, constraint delayed_deletions_pk primary key (task_id)
);
create index delayed_deletions_due on delayed_deletions (delete_at);
`;

/** Lets customers delete tasks, at once or later; until then they can restore them. */
export const DELETIONS: Addition = {
  name: 'deletions',
  tables: DELETION_TABLES,
  hooks: {
    erased: (trx, { id }) => trx.run(trx.builder.deleteFrom('delayed_deletions').where('task_id', '=', id)),
  },
  chores: (kernel, signal) => [
    {
      name: 'delayed deletions',
      everyMs: 60_000,
      run: async () => await (await loadPart(() => import('./erase-due-tasks.ts'))).eraseDueTasks(kernel, signal),
    },
  ],
  open: () => ({
    async http(kernel) {
      const [{ deletionRoutes }, { DELETION_OPERATIONS }] = await Promise.all([
        import('./deletion-routes.ts'),
        import('./deletion-operations.ts'),
      ]);
      return {
        v1: (v1) => deletionRoutes(v1, kernel),
        operations: DELETION_OPERATIONS,
        behind: ['/v1/images/{task_id}/cancel', '/v1/videos/{task_id}/cancel'],
      };
    },
  }),
};
