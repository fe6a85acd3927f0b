import { type Addition, DAILY_MS, type Session } from '@darkroom-service/darkroom/kernel';
import { addPrivacyCommand } from './privacy-command.ts';
import { REQUEST_TABLES } from './request-tables.ts';

async function findOpenErasure(session: Session): Promise<string | null> {
  const open = await session.first(
    session.builder
      .selectFrom('data_requests')
      .select('id')
      .where('kind', '=', 'erasure')
      .where('completed_at', 'is', null)
      .limit(1),
  );
  return open === undefined ? null : `the erasure '${open.id}' is not completed.`;
}

/** Exports and erases the stored data of an account or of one of its end users. */
export const PRIVACY: Addition = {
  name: 'privacy',
  tables: REQUEST_TABLES,
  // Erasures stay: they list the data to erase again after a restore.
  chores: ({ store, work }, signal) => [
    {
      name: 'expired exports',
      everyMs: DAILY_MS,
      run: () =>
        store.erase({ unit: 'trim_exports', signal }, (trx) =>
          trx.run(
            trx.builder
              .deleteFrom('data_requests')
              .where('kind', '=', 'export')
              .where('expires_at', '<', work.erasedBefore()),
          ),
        ),
    },
  ],
  pages: [{ name: 'privacy', title: "People's data", behind: 'operating' }],
  commands: addPrivacyCommand,
  findOpenWork: findOpenErasure,
  open: (kernel, closers) => ({
    async start() {
      if (kernel.settings.role === 'api') return;
      const { startErasures } = await import('./start-erasures.ts');
      startErasures(kernel, closers);
    },
    async http(serving) {
      const [{ privacyRoutes }, { PRIVACY_OPERATIONS }, { DataExport, Erasure }] = await Promise.all([
        import('./privacy-routes.ts'),
        import('./privacy-operations.ts'),
        import('./request-wire.ts'),
      ]);
      return {
        admin: (admin) => privacyRoutes(admin, serving),
        operations: PRIVACY_OPERATIONS,
        components: [DataExport, Erasure],
      };
    },
  }),
};
