import { hostname } from 'node:os';
import type { Config, Started } from '@darkroom-service/darkroom/kernel';
import { parseHosts } from '@darkroom-service/store';
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
export function startAlerts(
  { config, services, engines, checks, fetch, readiness, registry, tempo }: Started,
  closers: AsyncDisposableStack,
): void {
  const { clock, database, log } = services;
  const { waitingMs, freeBytes, balances, webhook } = config.of(ALERT_SETTINGS);
  const sender =
    webhook === null
      ? null
      : startAlertSender({
          database,
          clock,
          log,
          send: createWebhookAlerts(fetch, webhook),
          pausesMs: tempo.addedPausesMs,
        });
  if (sender !== null) closers.defer(() => sender.stop());
  const health = createWatchHealth(clock);
  readiness.addCheck(() => health.check());
  measureWatch(registry, health);
  const watch = startAlertWatch({
    database,
    clock,
    log,
    repeatMs: ALERT_REPEAT_MS,
    askers: [...engines].flatMap(([engine, { balance }]) =>
      balance === undefined ? [] : [{ engine, ask: (signal: AbortSignal) => balance({ signal }) }],
    ),
    // Path and query often contain a token.
    receiver: webhook === null ? null : new URL(webhook.url).host,
    createId: services.createId,
    publicUrl: services.settings.knownUrl,
    checks,
    limits: {
      waitingMs,
      engineNames: [...engines.keys()],
      balances,
      expectsStandby: (parseHosts(config.databaseUrl ?? '')?.urls.length ?? 1) > 1,
    },
    disk: {
      directories: [config.dataDirectory, ...(config.storageUrl === null ? [config.filesDirectory] : [])],
      host: hostname(),
      freeBytes,
    },
    storage: storageOf(config),
    readiness,
    health,
    everyMs: tempo.addedEveryMs,
    onMessages: () => sender?.wake(),
  });
  closers.defer(() => watch.stop());
}

/**
 * Returns the storage's name and scope in alerts. A bucket is shared by all processes; the files of a directory are on
 * this machine.
 */
function storageOf({ storageUrl, filesDirectory }: Config): { readonly subject: string; readonly scope: string } {
  if (storageUrl === null)
    return { subject: placeOf(hostname(), filesDirectory), scope: diskScope(hostname(), filesDirectory) };
  const { hostname: bucket, searchParams } = new URL(storageUrl);
  const endpoint = searchParams.get('endpoint');
  const subject = endpoint === null ? bucket : `${bucket} at ${new URL(endpoint).host}`;
  return { subject, scope: `storage:${subject}` };
}
