import { hostname } from 'node:os';
import type { AlertReceiver } from '../alerts/alert-messages.ts';
import { startAlertSender } from '../alerts/alert-sender.ts';
import { startAlertWatch } from '../alerts/alert-watch.ts';
import { createMailAlerts } from '../alerts/mail-alert.ts';
import { createWebhookAlerts, type SendAlert } from '../alerts/send-alert.ts';
import type { Config } from '../config/config.ts';
import type { Parts } from './open-parts.ts';

/**
 * Starts to watch for alerts and to send them. Each role does both, so that also an `api` process tells of dead
 * workers.
 */
export function startAlerts(
  { clock, database, engines, fetch, log, services, tempo }: Parts,
  config: Config,
  closers: AsyncDisposableStack,
): void {
  const { waitingMs, freeBytes, repeatMs, balances, webhook, email } = config.alerts;
  const channels: (AlertReceiver & { readonly send: SendAlert })[] = [];
  if (webhook !== null) {
    // Path and query often contain a token.
    const receiver = new URL(webhook.url).host;
    channels.push({ channel: 'webhook', receiver, send: createWebhookAlerts(fetch, webhook) });
  }
  if (email !== null) channels.push({ channel: 'email', receiver: email.to.join(', '), send: createMailAlerts(email) });
  // Each has its own sender: a receiver that hangs delays nobody.
  const senders = channels.map(({ channel, send }) =>
    startAlertSender({ database, clock, log, channel, send, pausesMs: tempo.alertPausesMs }),
  );
  for (const sender of senders) closers.defer(() => sender.stop());
  const watch = startAlertWatch({
    ...{ database, clock, log, repeatMs },
    askers: [...engines].flatMap(([engine, { balance }]) =>
      balance === undefined ? [] : [{ engine, ask: (signal: AbortSignal) => balance({ signal }) }],
    ),
    receivers: channels.map(({ channel, receiver }) => ({ channel, receiver })),
    createId: services.createId,
    publicUrl: services.settings.publicUrl,
    limits: {
      waitingMs,
      softDeadlineMs: config.softDeadlineMs,
      hardDeadlineMs: config.hardDeadlineMs,
      engineNames: [...engines.keys()],
      balances,
    },
    disk: { directory: config.dataDirectory, host: hostname(), freeBytes },
    everyMs: tempo.alertsEveryMs,
    onMessages: () => {
      for (const sender of senders) sender.wake();
    },
  });
  closers.defer(() => watch.stop());
}
