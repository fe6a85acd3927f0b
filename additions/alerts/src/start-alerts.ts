import { hostname } from 'node:os';
import type { Kernel } from '@darkroom-service/darkroom/kernel';
import { startAlertSender } from './alert-sender.ts';
import { ALERT_SETTINGS } from './alert-settings.ts';
import { startAlertWatch } from './alert-watch.ts';
import { diskScope, placeOf } from './full-spools.ts';
import { createWebhookAlerts } from './send-alert.ts';
import { createWatchHealth, measureWatch } from './watch-health.ts';

/** Interval at which a lasting alert is sent again. */
const ALERT_REPEAT_MS = 4 * 3_600_000;

/**
 * Starts to watch for alerts and to send them. Each role does both, so that also an `api` process reports dead workers.
 */
export function startAlerts(kernel: Kernel): void {
  const { clock, engines, figures, files, process, settings } = kernel;
  const { waitingMs, freeBytes, balances, webhook } = settings.of(ALERT_SETTINGS);
  const sender = webhook === null ? null : startAlertSender(kernel, createWebhookAlerts(files.fetch, webhook));
  const health = createWatchHealth(clock);
  measureWatch(figures, health);
  startAlertWatch(kernel, {
    repeatMs: ALERT_REPEAT_MS,
    askers: [...engines.operated].flatMap(([engine, { balance }]) =>
      balance === undefined ? [] : [{ engine, ask: (signal: AbortSignal) => balance({ signal }) }],
    ),
    // Path and query often contain a token.
    receiver: webhook === null ? null : new URL(webhook.url).host,
    publicUrl: settings.knownUrl,
    limits: { waitingMs, engineNames: [...engines.operated.keys()], balances },
    disk: {
      directories: [process.dataDirectory, ...(process.storage.url === null ? [process.storage.directory] : [])],
      host: hostname(),
      freeBytes,
    },
    storage: storageOf(process),
    health,
    onMessages: () => sender?.wake(),
  });
}

/**
 * Returns the storage's name and scope in alerts. A bucket is shared by all processes; the files of a directory are on
 * this machine.
 */
function storageOf({ storage }: Kernel['process']): { readonly subject: string; readonly scope: string } {
  const { url, directory } = storage;
  if (url === null) return { subject: placeOf(hostname(), directory), scope: diskScope(hostname(), directory) };
  const { hostname: bucket, searchParams } = new URL(url);
  const endpoint = searchParams.get('endpoint');
  const subject = endpoint === null ? bucket : `${bucket} at ${new URL(endpoint).host}`;
  return { subject, scope: `storage:${subject}` };
}
