import {
  type Answered,
  attemptDelivery,
  pauseBeforeNext,
} from '@darkroom-service/addition-common/sending/attempt-delivery';
import { type BatchView, type TaskView, world } from '@darkroom-service/contract';
import type { Claim, Kernel, WorkQueue } from '../../kernel.ts';
import type { DeliveryRow } from './list-deliveries.ts';
import { finishAttempt, readDelivery, type Sending } from './webhook-deliveries.ts';
import type { WebhookFigures } from './webhook-figures.ts';
import { openHeaders, UNREADABLE } from './webhook-headers.ts';
import { ensureSecret } from './webhook-secrets.ts';

type SenderKernel = Pick<Kernel, 'clock' | 'settings' | 'store' | 'work'> & {
  readonly files: Pick<Kernel['files'], 'fetch'>;
};

interface WebhookSenderOptions {
  readonly figures: WebhookFigures;
  /** Returns the task or the batch as `GET` returns it; null if it was deleted. */
  readonly view: (delivery: DeliveryRow) => Promise<TaskView | BatchView | null>;
}

const DELETED: Answered = {
  responseStatus: null,
  error: 'The task was deleted before delivery.',
  retryAfterMs: null,
  isFinal: true,
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses between attempts. The first attempt is made at once; the eighth is the last. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const AT_ONCE = 64;
/** Maximum number of concurrent deliveries of an account: a receiver that hangs delays only its own account. */
const AT_ONCE_OF_ACCOUNT = 16;

/** Notifies receivers of ended tasks, at least once each, until they accept or the last attempt has failed. */
export function startWebhookSender(
  { clock, files, settings, store, work }: SenderKernel,
  { figures, view }: WebhookSenderOptions,
): WorkQueue {
  const { deliveryLeaseMs: leaseMs, deliveryPausesMs: pausesMs = PAUSES_MS } = work.tempo;
  return work.start({
    kind: 'webhook',
    isSuspended: () => work.isSuspended(),
    leaseMs,
    perform: deliver,
    concurrency: AT_ONCE,
    concurrencyPerOwner: AT_ONCE_OF_ACCOUNT,
  });

  async function deliver(claim: Claim, signal: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    const began = world.monotonic();
    const delivery = await readDelivery(store.read, claim.subject);
    const answer = delivery === undefined ? DELETED : await attempt(delivery, signal);
    const { responseStatus, error } = answer;
    // A stop is not the receiver's fault: the attempt is repeated.
    if (error !== null) signal.throwIfAborted();
    const nextInMs = pauseBeforeNext(work, answer, claim.attempts, pausesMs);
    const attemptId = store.createId('wha');
    const durationMs = Math.round(world.monotonic() - began);
    await store.write('webhook_attempt', (trx) =>
      finishAttempt(trx, claim, { attemptId, startedAt, durationMs, responseStatus, error, nextInMs }),
    );
    if (nextInMs !== null || answer === DELETED) return;
    const seconds = Math.max(0, clock.now() - claim.entered_at) / 1000;
    figures.ended({ outcome: error === null ? 'delivered' : 'failed', seconds });
  }

  async function attempt(delivery: Sending, signal: AbortSignal): Promise<Answered> {
    const { data_json: kept } = delivery;
    const data: unknown = kept === null ? await view(delivery) : JSON.parse(kept);
    if (data === null) return DELETED;
    const timestamp = new Date(clock.now());
    const body = JSON.stringify({ type: delivery.type, timestamp: timestamp.toISOString(), data });
    const owner = { accountId: delivery.account_id, mode: delivery.mode };
    const secrets = await ensureSecret(store, owner, clock.now());
    const headers = openHeaders(settings.vault, owner, delivery.sealed);
    if (headers === null) return { responseStatus: null, error: UNREADABLE, retryAfterMs: null, isFinal: false };
    const send = () =>
      attemptDelivery(files.fetch, delivery.url, { id: delivery.id, timestamp, body, secrets, headers, signal });
    return await work.tracer.spanOf(delivery.task_id, 'webhook', send, faultOf);
  }
}

/** Returns the status of a refusal, for traces. */
function faultOf({ error, responseStatus }: Answered): string | null {
  return error === null ? null : `${responseStatus ?? 'no_answer'}`;
}
