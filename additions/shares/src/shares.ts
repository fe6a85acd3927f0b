import { isoTime } from '@darkroom-service/contract';
import type { Addition, OpenQuestion, Session } from '@darkroom-service/darkroom/kernel';
import { SHARE_TABLES } from './share-tables.ts';

/** Finds valid links, which the service has promised to serve. */
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
    personalTables: [{ table: 'shares', taskColumn: 'task_id' }],
    erased: (trx, { id }) => trx.run(trx.builder.deleteFrom('shares').where('task_id', '=', id)),
  },
  findOpenWork: findWorkingLinks,
  open: () => ({
    async http(kernel) {
      const [{ shareRoutes }, { sharedRoutes }, { SHARE_OPERATIONS }, { Share, ShareDeletion }] = await Promise.all([
        import('./share-routes.ts'),
        import('./shared-routes.ts'),
        import('./share-operations.ts'),
        import('./share-wire.ts'),
      ]);
      return {
        open: (app) => sharedRoutes(app, kernel),
        v1: (v1) => shareRoutes(v1, kernel),
        operations: SHARE_OPERATIONS,
        section: ['Shares', 'Links that show a result to people without a key.'],
        components: [Share, ShareDeletion],
      };
    },
  }),
};
