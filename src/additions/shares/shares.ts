import type { Addition } from '../../service/addition.ts';
import { SHARE_TABLES } from './share-tables.ts';
import { withdrawTask } from './withdraw-task.ts';

/** Links that show results to people without a key. */
export const SHARES: Addition = {
  name: 'shares',
  tables: SHARE_TABLES,
  hooks: { erased: withdrawTask },
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
