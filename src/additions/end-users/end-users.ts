import type { Addition } from '../../kernel.ts';
import { admitOrders } from './admit-orders.ts';

/** Customers of customers: their spend limits with a key, and their spending. */
export const END_USERS: Addition = {
  name: 'end-users',
  hooks: { admit: admitOrders },
  open: () => ({
    async http(kernel) {
      const [{ endUserRoutes }, { END_USER_OPERATIONS }] = await Promise.all([
        import('./end-user-routes.ts'),
        import('./end-user-operations.ts'),
      ]);
      return { v1: (v1) => endUserRoutes(v1, kernel), operations: END_USER_OPERATIONS };
    },
  }),
};
