import { createIdFactory, isoTime } from '@darkroom-service/contract';
import type { Check, Config, Observation, Question, Session } from '@darkroom-service/darkroom/kernel';
import { createTrustedFetch, isWildcard, loopbackUrl } from '@darkroom-service/media';
import { consolePage } from './alert-data.ts';
import { ALERT_SETTINGS } from './alert-settings.ts';
import { createWebhookAlerts } from './send-alert.ts';

type Settings = Pick<Config, 'of' | 'outgoing' | 'publicUrl' | 'host' | 'port'>;

/** Reports whether the service sends alerts, and where to. A test alert is neither stored nor repeated. */
export async function diagnoseReceiver({ config, now, options, production, read }: Question): Promise<Check[]> {
  const send = 'testAlert' in options && options.testAlert === true;
  const sent: Check = { name: 'alerts', ...(await check(config, now, send)) };
  return [sent, ...(production ? [await judgeReceiver(config, sent, send, read)] : [])];
}

/** Says whether the receiver of the alerts has accepted a message within a month, a test included. */
async function judgeReceiver(settings: Settings, sent: Check, isTested: boolean, read: Session | null): Promise<Check> {
  const line = { name: 'production alerts', expected: 'a receiver that has accepted an alert within 30 days' };
  const test = 'Run darkroom doctor --production --test-alert.';
  if (settings.of(ALERT_SETTINGS).webhook === null)
    return { ...line, status: 'failed', found: 'DARKROOM_ALERT_WEBHOOK_URL is not set', advice: `Set it. ${test}` };
  if (isTested) return { ...line, status: sent.status, found: sent.found, advice: sent.advice };
  const last = read === null ? null : await lastDelivery(read);
  if (last !== null) return { ...line, status: 'ok', found: `accepted one at ${isoTime(last)}`, advice: null };
  return { ...line, status: 'warning', found: 'none was accepted', advice: test };
}

/** Returns the time of the last message that a receiver accepted; messages are kept for 30 days. */
async function lastDelivery(read: Session): Promise<number | null> {
  const row = await read.first(
    read.builder
      .selectFrom('alert_messages')
      .select('delivered_at')
      .where('delivered_at', 'is not', null)
      .orderBy('delivered_at', 'desc')
      .limit(1),
  );
  return row?.delivered_at ?? null;
}

async function check(settings: Settings, now: number, send: boolean): Promise<Observation> {
  const { webhook } = settings.of(ALERT_SETTINGS);
  if (webhook === null) return notConfigured(send);
  // Only the host: the rest of the URL may contain a token.
  const name = `webhook to ${new URL(webhook.url).host} (${webhook.format})`;
  if (!send) return { status: 'ok', found: `${name}. darkroom doctor --test-alert sends a test alert`, advice: null };
  const trusted = createTrustedFetch(settings.outgoing);
  try {
    const { error } = await createWebhookAlerts(trusted.fetch, webhook)(testAlert(settings, now));
    if (error === null) return { status: 'ok', found: `${name}: a test alert was accepted`, advice: null };
    const advice = 'Check the DARKROOM_ALERT_… settings and the log of the receiver.';
    return { status: 'failed', found: `a test alert was not accepted\n${name}: ${error}`, advice };
  } finally {
    await trusted.close();
  }
}

function notConfigured(send: boolean): Observation {
  const found = 'the service sends none: DARKROOM_ALERT_WEBHOOK_URL is not set';
  return send
    ? { status: 'failed', found, advice: 'Set it, then send a test alert again.' }
    : { status: 'ok', found, advice: null };
}

function testAlert({ publicUrl, host, port }: Settings, now: number) {
  const createId = createIdFactory(() => now);
  const knownUrl = publicUrl ?? (isWildcard(host) ? null : loopbackUrl(host, port));
  const data = {
    alert_id: createId('alr'),
    kind: 'test',
    subject: null,
    summary: 'A test alert. Nothing is wrong.',
    action: null,
    began_at: isoTime(now),
    ended_at: null,
    url: consolePage(knownUrl, '/now'),
    runbook_url: null,
  } as const;
  return { id: createId('alm'), type: 'alert.test', data, now } as const;
}
