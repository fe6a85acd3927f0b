import type { Addition, Session } from '@darkroom-service/darkroom/kernel';
import { sql } from 'kysely';
import { ALERT_SETTINGS } from './alert-settings.ts';
import { ALERT_TABLES } from './alert-tables.ts';
import { addAlertsCommand } from './alerts-command.ts';
import { diagnoseWorkerDisks } from './full-spools.ts';

async function findUnsent(session: Session): Promise<string | null> {
  const unsent = await session.first(
    session.builder.selectFrom('alert_messages').select('id').where('status', '=', sql.lit('pending')).limit(1),
  );
  return unsent === undefined ? null : 'messages are still to be sent.';
}

/** Finds conditions that operators must know of, and sends alerts. */
export const ALERTS: Addition = {
  name: 'alerts',
  settings: ALERT_SETTINGS,
  tables: ALERT_TABLES,
  findOpenWork: findUnsent,
  commands: addAlertsCommand,
  checks: [
    {
      name: 'alert checks',
      everyMs: 15_000,
      run: async (question) => await (await import('./diagnose-watch.ts')).diagnoseWatch(question),
    },
    { name: 'disks of workers', everyMs: 5_000, run: diagnoseWorkerDisks },
    {
      name: 'alerts',
      run: async (question) => await (await import('./diagnose-alerts.ts')).diagnoseReceiver(question),
    },
  ],
  open: (kernel) => ({
    start: async () => (await import('./start-alerts.ts')).startAlerts(kernel),
    async http(serving) {
      const [{ alertRoutes }, { ALERT_OPERATIONS }, { Alert }, { readAlertMarks }] = await Promise.all([
        import('./alert-routes.ts'),
        import('./alert-operations.ts'),
        import('./alert-wire.ts'),
        import('./alert-marks.ts'),
      ]);
      return {
        admin: (admin) => alertRoutes(admin, serving),
        operations: ALERT_OPERATIONS,
        components: [Alert],
        marks: readAlertMarks,
      };
    },
  }),
};
