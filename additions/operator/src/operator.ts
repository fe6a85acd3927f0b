import type { Addition, Session } from '@darkroom-service/darkroom/kernel';

/** Finds actions that were entered for many orders, and are not done yet. */
async function findOpenActions(session: Session): Promise<string | null> {
  const open = await session.first(
    session.builder.selectFrom('work').select('subject').where('kind', '=', 'deed').limit(1),
  );
  return open === undefined ? null : `the action '${open.subject}' that was entered for many orders is not done yet.`;
}

/** The operations of operators: accounts, credits, keys, engines, orders, costs, processes and what was changed. */
export const OPERATOR: Addition = {
  name: 'operator',
  findOpenWork: findOpenActions,
  open: (kernel) => ({
    async start() {
      const { startBulkActions } = await import('./deeds/run-bulk-actions.ts');
      startBulkActions(kernel);
    },
    async http(serving) {
      const [
        { adminAccountRoutes },
        { adminCreditRoutes },
        { adminKeyRoutes },
        { adminOperationRoutes },
        { adminAuditRoutes },
        { adminTaskRoutes },
        { adminTroubleRoutes },
        { adminHoldRoutes },
        { adminSecretRoutes },
        { adminProcessRoutes },
        { adminEventRoutes },
        { adminCostRoutes },
        { OPERATOR_OPERATIONS },
        { OPERATOR_TASK_OPERATIONS },
      ] = await Promise.all([
        import('./admin-account-routes.ts'),
        import('./admin-credit-routes.ts'),
        import('./admin-key-routes.ts'),
        import('./admin-operation-routes.ts'),
        import('./admin-audit-routes.ts'),
        import('./admin-task-routes.ts'),
        import('./admin-trouble-routes.ts'),
        import('./admin-hold-routes.ts'),
        import('./admin-secret-routes.ts'),
        import('./admin-process-routes.ts'),
        import('./admin-event-routes.ts'),
        import('./admin-cost-routes.ts'),
        import('./operator-operations.ts'),
        import('./operator-task-operations.ts'),
      ]);
      return {
        admin(admin, _options, tools) {
          adminAccountRoutes(admin, serving);
          adminCreditRoutes(admin, serving);
          adminKeyRoutes(admin, serving);
          adminOperationRoutes(admin, serving);
          adminAuditRoutes(admin, serving);
          adminTaskRoutes(admin, serving, tools);
          adminTroubleRoutes(admin, serving);
          adminHoldRoutes(admin, serving);
          adminSecretRoutes(admin, serving);
          adminProcessRoutes(admin, serving.checks);
          adminEventRoutes(admin, tools, serving);
          adminCostRoutes(admin, serving);
        },
        operations: Object.assign({ ...OPERATOR_OPERATIONS }, OPERATOR_TASK_OPERATIONS),
      };
    },
  }),
};
