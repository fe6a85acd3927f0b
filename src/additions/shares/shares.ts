import { isoTime } from '@darkroom-service/contract';
import type { Addition, OpenQuestion, Session, Transaction } from '../../kernel.ts';
import { SHARE_TABLES } from './share-tables.ts';

/** A link that was handed out is a promise. */
async function findWorkingLinks(session: Session, { now }: OpenQuestion): Promise<string | null> {
  const last = await session.first(
    session.builder
      .selectFrom('shares')
      .select(({ fn }) => fn.max('expires_at').as('expires_at'))
      .where('expires_at', '>', now),
  );
  const until = last?.expires_at ?? null;
  return until === null ? null : `links still work until ${isoTime(until)}. Revoke them first.`;
}

/** Links that show results to people without a key. */
export const SHARES: Addition = {
  name: 'shares',
  tables: SHARE_TABLES,
  hooks: {
    personalTables: [
      { table: 'shares', taskColumn: 'task_id' },
      { table: 'share_tasks', taskColumn: 'task_id' },
    ],
    erased: withdrawTask,
  },
  findOpenWork: findWorkingLinks,
  async http() {
    const [{ shareRoutes }, { sharedRoutes }, { SHARE_OPERATIONS }, { Share, ShareDeletion }] = await Promise.all([
      import('./share-routes.ts'),
      import('./shared-routes.ts'),
      import('./share-operations.ts'),
      import('./share-wire.ts'),
    ]);
    return {
      open: sharedRoutes,
      v1: shareRoutes,
      operations: SHARE_OPERATIONS,
      section: ['Shares', 'Links that show a result to people without a key.'],
      components: [Share, ShareDeletion],
    };
  },
};

/**
 * Removes an erased task from all share links, and the links that show nothing else. `task_id` of the others is again
 * the first task that they show.
 */
async function withdrawTask(
  trx: Transaction,
  { id: taskId, keyId }: { readonly id: string; readonly keyId: string },
): Promise<void> {
  const { builder } = trx;
  const among = await trx.first(
    builder.selectFrom('share_tasks').select('share_id').where('task_id', '=', taskId).limit(1),
  );
  if (among !== undefined) {
    // Two tasks of a link that are erased at the same moment must see each other's removal.
    await trx.lock(`shares:${keyId}`);
    await trx.run(builder.deleteFrom('share_tasks').where('task_id', '=', taskId));
    await trx.run(
      builder
        .updateTable('shares')
        .set((set) => ({
          task_id: set.fn.coalesce(
            set
              .selectFrom('share_tasks')
              .select('share_tasks.task_id')
              .whereRef('share_id', '=', 'shares.id')
              .orderBy('position')
              .limit(1),
            'shares.task_id',
          ),
        }))
        .where('task_id', '=', taskId),
    );
  }
  await trx.run(builder.deleteFrom('shares').where('task_id', '=', taskId));
}
