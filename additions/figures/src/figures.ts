import type { Addition } from '@darkroom-service/darkroom/kernel';

/** Metrics that are read from the database: queues, money, work, standbys, balances at upstreams. */
export const FIGURES: Addition = {
  name: 'figures',
  async start({ services, checks, registry }) {
    const { database, clock } = services;
    const [{ registerBalanceMetrics }, { registerStandbyMetrics }, { registerBacklogMetrics }] = await Promise.all([
      import('./balance-metrics.ts'),
      import('./standby-metrics.ts'),
      import('./backlog-metrics.ts'),
    ]);
    registerBalanceMetrics(registry, database);
    registerStandbyMetrics(registry, checks);
    registerBacklogMetrics(registry, database, { clock, checks });
  },
};
