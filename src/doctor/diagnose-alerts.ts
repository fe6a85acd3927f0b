import { consolePage } from '../alerts/alert-data.ts';
import { createMailAlerts } from '../alerts/mail-alert.ts';
import { createWebhookAlerts, type SendAlert } from '../alerts/send-alert.ts';
import { isoTime } from '../base/clock.ts';
import { createIdFactory } from '../base/ids.ts';
import type { Config } from '../config/config.ts';
import { loopbackUrl } from '../net/loopback-url.ts';
import { createTrustedFetch } from '../net/trusted-fetch.ts';

export interface AlertFinding {
  readonly status: 'ok' | 'failed';
  readonly found: string;
  readonly advice: string | null;
}

type Settings = Pick<Config, 'alerts' | 'allowedAddresses' | 'publicUrl' | 'host' | 'port'>;

/**
 * Says whether the service sends alerts, and where to.
 * @param options.send whether to send a test alert to each receiver; it is neither stored nor repeated
 */
export async function diagnoseAlerts(
  settings: Settings,
  now: number,
  { send }: { readonly send: boolean },
): Promise<AlertFinding> {
  const { webhook, email } = settings.alerts;
  const trusted = createTrustedFetch({ allowedAddresses: settings.allowedAddresses });
  const receivers: [string, SendAlert][] = [];
  // Only the host: the rest of the URL may contain a token.
  if (webhook !== null)
    receivers.push([`webhook to ${new URL(webhook.url).host}`, createWebhookAlerts(trusted.fetch, webhook)]);
  if (email !== null) receivers.push([`mail to ${email.to.join(', ')} by ${email.host}`, createMailAlerts(email)]);
  try {
    const names = receivers.map(([name]) => name).join('; ');
    if (receivers.length === 0) return notConfigured(send);
    if (!send)
      return { status: 'ok', found: `${names}. darkroom doctor --test-alert sends a test alert`, advice: null };
    const errors = await Promise.all(
      receivers.map(async ([name, sendAlert]) => {
        const error = await sendAlert(testAlert(settings, now));
        return error === null ? [] : [`${name}: ${error}`];
      }),
    );
    if (errors.flat().length === 0) return { status: 'ok', found: `${names}: a test alert was accepted`, advice: null };
    const advice = 'Check the DARKROOM_ALERT_… settings and the log of the receiver.';
    return { status: 'failed', found: ['a test alert was not accepted', ...errors.flat()].join('\n'), advice };
  } finally {
    await trusted.close();
  }
}

function notConfigured(send: boolean): AlertFinding {
  const found = 'the service sends none: neither DARKROOM_ALERT_WEBHOOK_URL nor DARKROOM_ALERT_SMTP_URL is set';
  return send
    ? { status: 'failed', found, advice: 'Set one of them, then send a test alert again.' }
    : { status: 'ok', found, advice: null };
}

function testAlert({ publicUrl, host, port }: Settings, now: number) {
  const createId = createIdFactory(() => now);
  const data = {
    alert_id: createId('alr'),
    kind: 'test',
    subject: null,
    summary: 'A test alert. Nothing is wrong.',
    action: null,
    began_at: isoTime(now),
    ended_at: null,
    url: consolePage(publicUrl ?? loopbackUrl(host, port), '/operations'),
  } as const;
  return { id: createId('alm'), type: 'alert.test', data, now } as const;
}
