import { hostname } from 'node:os';
import { startAlertSender } from '../alerts/alert-sender.ts';
import { startAlertWatch } from '../alerts/alert-watch.ts';
import type { AlertReceiver } from '../alerts/send-alert.ts';
import type { Config } from '../config/config.ts';
import type { Parts } from './open-parts.ts';

/** Starts to watch for alerts and to send them. Each role does both, so that also an `api` process tells of dead workers. */
export function startAlerts(
  { clock, database, engines, fetch, log, services, tempo }: Parts,
  config: Config,
  receiver: AlertReceiver,
  closers: AsyncDisposableStack,
): void {
  const { waitingMs, freeBytes, repeatMs } = config.alerts;
  const sender = startAlertSender({ database, clock, fetch, log, receiver, pausesMs: tempo.alertPausesMs });
  closers.defer(() => sender.stop());
  const watch = startAlertWatch({
    ...{ database, clock, log, repeatMs },
    createId: services.createId,
    publicUrl: services.settings.publicUrl,
    limits: {
      waitingMs,
      softDeadlineMs: config.softDeadlineMs,
      hardDeadlineMs: config.hardDeadlineMs,
      engineNames: [...engines.keys()],
    },
    disk: { directory: config.dataDirectory, host: hostname(), freeBytes },
    everyMs: tempo.alertsEveryMs,
    onMessages: () => sender.wake(),
  });
  closers.defer(() => watch.stop());
}
