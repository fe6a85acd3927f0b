import { type Answered, attemptDelivery, postOnce } from '@darkroom-service/addition-common/sending/attempt-delivery';
import { cleanText } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import type { AlertData } from './alert-data.ts';

/** A message about an alert, as it is sent. */
interface OutgoingAlert {
  readonly id: string;
  readonly type: 'alert.began' | 'alert.continues' | 'alert.ended' | 'alert.test';
  readonly data: AlertData;
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** Sends a message once. */
export type SendAlert = (message: OutgoingAlert) => Promise<Answered>;

interface AlertWebhook {
  readonly url: string;
  readonly format: 'signed' | 'slack' | 'ntfy';
  /** Secrets, `whsec_…`; each of them signs. */
  readonly secrets: readonly string[];
}

type Written = Pick<Parameters<typeof postOnce>[2], 'headers' | 'body'>;

const TITLES: Readonly<Record<OutgoingAlert['type'], string>> = {
  'alert.began': 'Alert',
  'alert.continues': 'Alert continues',
  'alert.ended': 'Alert ended',
  'alert.test': 'Test',
};
/** Maximum length of the summary: ntfy makes a message of more than 4,096 bytes an attachment. */
const SUMMARY_LENGTH = 1_000;

/** Sends alerts to a webhook in the format that its receiver reads. */
export function createWebhookAlerts(fetch: TrustedFetch, { url, format, secrets }: AlertWebhook): SendAlert {
  return async (alert) => {
    const { id, type, data, now, signal } = alert;
    const options = signal === undefined ? {} : { signal };
    if (format !== 'signed')
      return await postOnce(fetch, url, { ...(format === 'slack' ? slack(alert) : ntfy(alert)), ...options });
    const timestamp = new Date(now);
    return await attemptDelivery(fetch, url, {
      id,
      timestamp,
      body: JSON.stringify({ type, timestamp: timestamp.toISOString(), data }),
      secrets: secrets.map((secret) => ({ secret })),
      ...options,
    });
  };
}

/**
 * Formats a message for an incoming webhook of Slack, which reads `&`, `<` and `>` as markup unless they are escaped.
 */
function slack(alert: OutgoingAlert): Written {
  const link = alert.data.url === null ? '' : `\n${alert.data.url}`;
  const text = `${titleOf(alert)}: ${textOf(alert)}${link}`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ text: escaped }) };
}

/** Formats a message for a topic of ntfy: the message is the body, and headers have the rest. */
function ntfy(alert: OutgoingAlert): Written {
  const isOpen = alert.type === 'alert.began' || alert.type === 'alert.continues';
  return {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: titleOf(alert),
      priority: isOpen ? 'high' : 'default',
      ...(alert.data.url === null ? {} : { click: new URL(alert.data.url).href }),
    },
    body: textOf(alert),
  };
}

function titleOf({ type }: OutgoingAlert): string {
  return `Darkroom: ${TITLES[type]}`;
}

function textOf({ data }: OutgoingAlert): string {
  const ended = data.ended_at === null ? '' : ` Ended: ${data.ended_at}.`;
  return [
    // It may contain names that customers gave.
    cleanText(data.summary, SUMMARY_LENGTH),
    ...(data.action === null ? [] : [cleanText(data.action)]),
    `Began: ${data.began_at}.${ended}`,
    ...(data.runbook_url === null || data.ended_at !== null ? [] : [`Runbook: ${data.runbook_url}`]),
  ].join('\n');
}
