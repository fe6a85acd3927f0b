import { type Addition, queuesOf, type Session } from '@darkroom-service/darkroom/kernel';
import { addLocalCommand } from './commands/local-command.ts';
import { addPullCommand } from './commands/pull-command.ts';
import { LOCAL_ENGINE } from './entry-parts.ts';
import { LOCAL_SETTINGS } from './local-settings.ts';

async function findOpenOrders(session: Session): Promise<string | null> {
  const open = await session.first(
    session.builder
      .selectFrom('tasks')
      .select('id')
      .where('queue', 'in', queuesOf(LOCAL_ENGINE))
      .where('status', 'in', ['queued', 'processing'])
      .limit(1),
  );
  return open === undefined ? null : 'orders of its models have not ended.';
}

/** Downloads models for this machine, and runs their servers and those of the operator's file. */
export const LOCAL: Addition = {
  name: 'local',
  settings: LOCAL_SETTINGS,
  findOpenWork: findOpenOrders,
  commands(program) {
    addPullCommand(program);
    addLocalCommand(program);
  },
  models: async (config) => await (await import('./service/open-local-models.ts')).openLocalModels(config),
  checks: [
    {
      name: 'local models',
      run: async ({ config }) => await (await import('./diagnose-local-models.ts')).diagnoseLocalModels(config),
    },
  ],
  open: (_kernel, closers) => ({
    async http(kernel) {
      const [{ openLocalGallery }, { localRoutes }, { LOCAL_OPERATIONS }, { LOCAL_COMPONENTS }] = await Promise.all([
        import('./service/local-gallery.ts'),
        import('./service/local-routes.ts'),
        import('./service/local-operations.ts'),
        import('./service/local-wire.ts'),
      ]);
      const gallery = openLocalGallery(kernel, closers);
      return {
        admin: (admin) => localRoutes(admin, kernel, gallery),
        operatorEvent: { name: 'local', watch: gallery.watch },
        operations: LOCAL_OPERATIONS,
        components: LOCAL_COMPONENTS,
      };
    },
  }),
};
