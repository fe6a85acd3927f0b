import { type Addition, DAILY_MS } from '@darkroom-service/darkroom/kernel';
import { NOTICE_TABLES } from './notice-tables.ts';
import { periodOf } from './reached-limit.ts';

/** Webhooks that inform an account that a key or an end user has used 50, 80 or 100 % of a spend limit. */
export const BUDGET_NOTICES: Addition = {
  name: 'budget-notices',
  tables: NOTICE_TABLES,
  chores: ({ clock, store }) => [
    {
      name: 'budget notices',
      everyMs: DAILY_MS,
      run: () =>
        store.write('trim_budget_notices', (trx) =>
          trx.run(
            // Notices of months before yesterday's, and of their days.
            trx.builder
              .deleteFrom('budget_notices')
              .where('period', '<', periodOf('month', clock.now() - DAILY_MS, 'UTC')),
          ),
        ),
    },
  ],
  open: (kernel, closers) => ({
    async start() {
      const { role, without } = kernel.settings;
      if (role === 'api' || without.includes('webhooks')) return;
      const { startBudgetWatch } = await import('./watch-budgets.ts');
      startBudgetWatch(kernel, closers);
    },
  }),
};
