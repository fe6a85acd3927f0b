import { hostname } from 'node:os';
import { startAlertSender } from '../alerts/alert-sender.ts';
import { startAlertWatch } from '../alerts/alert-watch.ts';
import { createWebhookAlerts } from '../alerts/send-alert.ts';
import type { Config } from '../config/config.ts';
import type { Parts } from './open-parts.ts';
import type { Readiness } from './readiness.ts';

/** A lasting alert is sent again after this time. */
const ALERT_REPEAT_MS = 4 * 3_600_000;

/**
 * Starts to watch for alerts and to send them. Each role does both, so that also an `api` process tells of dead
 * workers.
 */
export function startAlerts(
  { clock, database, engines, fetch, log, services, tempo }: Parts,
  config: Config,
  readiness: Pick<Readiness, 'outages' | 'endedOutages'>,
  closers: AsyncDisposableStack,
): void {
  const { waitingMs, freeBytes, balances, webhook } = config.alerts;
  const sender =
    webhook === null
      ? null
      : startAlertSender({
          ...{ database, clock, log, send: createWebhookAlerts(fetch, webhook) },
          pausesMs: tempo.alertPausesMs,
        });
  if (sender !== null) closers.defer(() => sender.stop());
  const watch = startAlertWatch({
    ...{ database, clock, log, repeatMs: ALERT_REPEAT_MS },
    askers: [...engines].flatMap(([engine, { balance }]) =>
      balance === undefined ? [] : [{ engine, ask: (signal: AbortSignal) => balance({ signal }) }],
    ),
    // Path and query often contain a token.
    receiver: webhook === null ? null : new URL(webhook.url).host,
    createId: services.createId,
    publicUrl: services.settings.publicUrl,
    limits: {
      waitingMs,
      softDeadlineMs: config.softDeadlineMs,
      hardDeadlineMs: config.hardDeadlineMs,
      engineNames: [...engines.keys()],
      balances,
    },
    disk: {
      directories: [config.dataDirectory, ...(config.storageUrl === null ? [config.filesDirectory] : [])],
      host: hostname(),
      freeBytes,
    },
    readiness,
    everyMs: tempo.alertsEveryMs,
    onMessages: () => sender?.wake(),
  });
  closers.defer(() => watch.stop());
}
