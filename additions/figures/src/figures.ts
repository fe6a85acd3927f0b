import type { Addition } from '@darkroom-service/darkroom/kernel';

/** Metrics that are read from the database: queues, money, work, standbys, balances at upstreams. */
export const FIGURES: Addition = {
  name: 'figures',
  open: ({ checks, clock, figures, store }) => ({
    async start() {
      const [{ registerBalanceMetrics }, { registerStandbyMetrics }, { registerBacklogMetrics }] = await Promise.all([
        import('./balance-metrics.ts'),
        import('./standby-metrics.ts'),
        import('./backlog-metrics.ts'),
      ]);
      registerBalanceMetrics(figures, store);
      registerStandbyMetrics(figures, checks);
      registerBacklogMetrics(figures, store, { clock, checks });
    },
  }),
};
