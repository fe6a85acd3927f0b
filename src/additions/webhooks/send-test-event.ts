import { attemptDelivery } from '@darkroom-service/addition-common/sending/attempt-delivery';
import { ServiceError, type WebhookTestView, world } from '@darkroom-service/contract';
import type { Kernel } from '../../kernel.ts';
import { openHeaders, sealedHeaders, UNREADABLE } from './webhook-headers.ts';
import { ensureSecret, type SecretOwner } from './webhook-secrets.ts';

/** Sends one signed test event to a URL and returns the receiver's answer. It is neither stored nor repeated. */
export type SendTestEvent = (owner: SecretOwner, url: string) => Promise<WebhookTestView>;

export function createTestSender({
  clock,
  files,
  settings,
  store,
}: Pick<Kernel, 'clock' | 'files' | 'settings' | 'store'>): SendTestEvent {
  return async (owner, url) => {
    const id = store.createId('whd');
    const timestamp = new Date(clock.now());
    const data = { mode: owner.mode, message: 'A test event. No task has ended.' };
    const body = JSON.stringify({ type: 'webhook.test', timestamp: timestamp.toISOString(), data });
    const secrets = await ensureSecret(store, owner, clock.now());
    const began = world.monotonic();
    const headers = openHeaders(settings.vault, owner, await sealedHeaders(store.read, owner, url));
    if (headers === null) throw new ServiceError('service_unavailable', UNREADABLE);
    const sent = { id, timestamp, body, secrets, headers };
    const { responseStatus, error } = await attemptDelivery(files.fetch, url, sent);
    const durationMs = Math.round(world.monotonic() - began);
    return {
      webhook_id: id,
      url,
      delivered: error === null,
      duration_ms: durationMs,
      response_status: responseStatus,
      error,
    };
  };
}

/**
 * Returns the outcome of a test as the text to which the key of its request is bound: the test is stored nowhere else.
 */
export function outcomeText(outcome: WebhookTestView): string {
  return JSON.stringify(outcome);
}

/**
 * Parses the outcome of a test event.
 * @param text empty while the outcome is not known
 * @throws ServiceError `service_unavailable`
 */
export function readOutcome(text: string): WebhookTestView {
  if (text !== '') return JSON.parse(text) as WebhookTestView;
  throw new ServiceError(
    'service_unavailable',
    'The test event of this Idempotency-Key was begun and its outcome is not known yet. Repeat the request in a moment, or send another test with a new key.',
    { retryAfterSeconds: 2 },
  );
}
