import { isoTime } from '@darkroom-service/contract/clock';
import { createIdFactory } from '@darkroom-service/contract/ids';
import { loopbackUrl } from '@darkroom-service/media/net/loopback-url';
import { createTrustedFetch } from '@darkroom-service/media/net/trusted-fetch';
import type { Config } from '../../service/config/config.ts';
import type { Finding, Question } from '../../service/doctor/finding.ts';
import { consolePage } from './alert-data.ts';
import { createWebhookAlerts } from './send-alert.ts';

type Look = Omit<Finding, 'name'>;
type Settings = Pick<Config, 'alerts' | 'outgoing' | 'publicUrl' | 'host' | 'port'>;

/** Says whether the service sends alerts, and where to. A test alert is neither stored nor repeated. */
export async function diagnoseAlerts(settings: Settings, { now, options }: Question): Promise<Finding[]> {
  const send = 'testAlert' in options && options.testAlert === true;
  return [{ name: 'alerts', ...(await look(settings, now, send)) }];
}

async function look(settings: Settings, now: number, send: boolean): Promise<Look> {
  const { webhook } = settings.alerts;
  if (webhook === null) return notConfigured(send);
  // Only the host: the rest of the URL may contain a token.
  const name = `webhook to ${new URL(webhook.url).host} (${webhook.format})`;
  if (!send) return { status: 'ok', found: `${name}. darkroom doctor --test-alert sends a test alert`, advice: null };
  const trusted = createTrustedFetch(settings.outgoing);
  try {
    const error = await createWebhookAlerts(trusted.fetch, webhook)(testAlert(settings, now));
    if (error === null) return { status: 'ok', found: `${name}: a test alert was accepted`, advice: null };
    const advice = 'Check the DARKROOM_ALERT_… settings and the log of the receiver.';
    return { status: 'failed', found: `a test alert was not accepted\n${name}: ${error}`, advice };
  } finally {
    await trusted.close();
  }
}

function notConfigured(send: boolean): Look {
  const found = 'the service sends none: DARKROOM_ALERT_WEBHOOK_URL is not set';
  return send
    ? { status: 'failed', found, advice: 'Set it, then send a test alert again.' }
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
