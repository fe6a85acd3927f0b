import type { Addition } from '../../kernel.ts';

/** Reports how many tasks a key or an account ordered within a period, and what they cost. */
export const USAGE: Addition = {
  name: 'usage',
  open: () => ({
    async http(kernel) {
      const { usageRoutes } = await import('./usage-routes.ts');
      return {
        v1: (v1) => usageRoutes(v1, kernel),
        operations: {
          'GET /v1/account/usage': {
            roles: 'see_spending',
            id: 'getUsage',
            summary: 'Report tasks and their cost',
            description: 'Counts the tasks created in a period, grouped as you ask. Deleted tasks are included.',
          },
        },
        behind: ['/v1/account'],
      };
    },
  }),
};
