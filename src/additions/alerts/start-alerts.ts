import { hostname } from 'node:os';
import type { Started } from '../../service/addition.ts';
import { startAlertSender } from './alert-sender.ts';
import { startAlertWatch } from './alert-watch.ts';
import { createWebhookAlerts } from './send-alert.ts';

/** A lasting alert is sent again after this time. */
const ALERT_REPEAT_MS = 4 * 3_600_000;

/**
 * Starts to watch for alerts and to send them. Each role does both, so that also an `api` process tells of dead
 * workers.
 */
export function startAlerts(
  { config, services, engines, fetch, readiness, tempo }: Started,
  closers: AsyncDisposableStack,
): void {
  const { clock, database, log } = services;
  const { waitingMs, freeBytes, balances, webhook } = config.alerts;
  const sender =
    webhook === null
      ? null
      : startAlertSender({
          ...{ database, clock, log, send: createWebhookAlerts(fetch, webhook) },
          pausesMs: tempo.addedPausesMs,
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
    everyMs: tempo.addedEveryMs,
    onMessages: () => sender?.wake(),
  });
  closers.defer(() => watch.stop());
}
