import { isoTime } from '@darkroom-service/contract';
import { type AlertRow, remedyOf } from './condition.ts';

/** The `data` of the webhook of an alert. */
export interface AlertData {
  readonly alert_id: string;
  readonly kind: AlertRow['kind'] | 'test';
  readonly subject: string | null;
  readonly summary: string;
  /** Advice to the operator; null after the end of the alert. */
  readonly action: string | null;
  readonly began_at: string;
  readonly ended_at: string | null;
  /** Page of the console that shows it; null if the URL of the service is not known. */
  readonly url: string | null;
  /** Entry of the runbook; null if the URL of the service is not known. */
  readonly runbook_url: string | null;
}

/** Returns an alert in the shape of the interface. @param publicUrl without a slash at the end; null if not known */
export function alertData(alert: AlertRow, publicUrl: string | null): AlertData {
  const { action, page } = remedyOf(alert.kind);
  return {
    alert_id: alert.id,
    kind: alert.kind,
    subject: alert.subject === '' ? null : alert.subject,
    summary: alert.summary,
    action: alert.ended_at === null ? action : null,
    began_at: isoTime(alert.began_at),
    ended_at: isoTime(alert.ended_at),
    url: consolePage(publicUrl, page),
    runbook_url: runbookEntry(publicUrl, alert.kind),
  };
}

/** Returns the entry of a kind in `docs/runbook.md`, as the guide shows it. */
export function runbookEntry(publicUrl: string | null, kind: string): string | null {
  return publicUrl === null ? null : `${publicUrl}/docs/runbook#${kind}`;
}

export function consolePage(publicUrl: string | null, page: string): string | null {
  return publicUrl === null ? null : `${publicUrl}/#${page}`;
}
