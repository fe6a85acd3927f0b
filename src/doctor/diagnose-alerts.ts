import { consolePage } from '../alerts/alert-data.ts';
import { type AlertReceiver, sendAlert } from '../alerts/send-alert.ts';
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

/**
 * Says whether the service sends alerts, and where to.
 * @param options.send whether to send a test alert, which is neither stored nor repeated
 */
export async function diagnoseAlerts(
  config: Pick<Config, 'alerts' | 'allowedAddresses' | 'publicUrl' | 'host' | 'port'>,
  now: number,
  { send }: { readonly send: boolean },
): Promise<AlertFinding> {
  const { webhook } = config.alerts;
  if (webhook === null) {
    const found = 'the service sends none, because DARKROOM_ALERT_WEBHOOK_URL is not set';
    const advice = 'Set DARKROOM_ALERT_WEBHOOK_URL, then send a test alert again.';
    return send ? { status: 'failed', found, advice } : { status: 'ok', found, advice: null };
  }
  // Only the host: the rest of the URL may contain a token.
  const receiver = `a webhook to ${new URL(webhook.url).host}`;
  if (!send)
    return { status: 'ok', found: `${receiver}; darkroom doctor --test-alert sends a test alert`, advice: null };
  const { error, responseStatus } = await sendTest(config, webhook, now);
  if (error === null) return { status: 'ok', found: `${receiver}: a test alert got ${responseStatus}`, advice: null };
  const advice = 'Check DARKROOM_ALERT_WEBHOOK_URL and the log of the receiver.';
  return { status: 'failed', found: `${receiver}: a test alert was not accepted. ${error}`, advice };
}

async function sendTest(
  { allowedAddresses, publicUrl, host, port }: Parameters<typeof diagnoseAlerts>[0],
  receiver: AlertReceiver,
  now: number,
) {
  const trusted = createTrustedFetch({ allowedAddresses });
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
  try {
    return await sendAlert(trusted.fetch, receiver, { id: createId('alm'), type: 'alert.test', data, now });
  } finally {
    await trusted.close();
  }
}
