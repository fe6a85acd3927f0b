import { withJitter } from '../base/back-off.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { startWorkLoop } from '../base/work-loop.ts';
import type { Database } from '../database/database.ts';
import type { TrustedFetch } from '../net/trusted-fetch.ts';
import type { BatchView } from '../wire/batch.ts';
import type { TaskView } from '../wire/task.ts';
import { type Answered, attemptDelivery } from './attempt-delivery.ts';
import {
  claimDeliveries,
  DELIVERY_LEASE_MS,
  type DeliveryRow,
  finishAttempt,
  modeOfDelivery,
  nextDelivery,
} from './webhook-deliveries.ts';
import { ensureSecret } from './webhook-secrets.ts';

/** Notifies receivers of ended tasks, at least once each, until they accept or the last attempt has failed. */
export interface WebhookSender {
  wake(): void;
  stop(): Promise<void>;
}

interface WebhookSenderOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly createId: (prefix: string) => string;
  readonly fetch: TrustedFetch;
  readonly log: Log;
  /** Whether nothing may be sent now. */
  readonly isHeld: () => boolean;
  /** Returns the task or the batch as `GET` returns it; null when it was deleted. */
  readonly view: (delivery: DeliveryRow) => Promise<TaskView | BatchView | null>;
  /** Duration of a delivery's lease, and the pauses between attempts, for tests that cannot wait for the real ones. */
  readonly leaseMs?: number | undefined;
  readonly pausesMs?: readonly number[] | undefined;
}

interface Attempt extends Answered {
  /** Further attempts cannot succeed. */
  readonly isFinal?: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses between attempts. The first attempt is made at once; the eighth is the last. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR];
const AT_ONCE = 64;
/**
 * The number of concurrent attempts per account, so that a receiver that hangs delays only its own account. A new batch
 * starts while fewer than this many run, so up to twice as many are possible.
 */
const AT_ONCE_OF_ACCOUNT = 8;
const LOOK_EVERY_MS = SECOND;

export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { database, clock, log, leaseMs = DELIVERY_LEASE_MS, pausesMs = PAUSES_MS } = options;
  /** The attempts in progress, each with its account. */
  const sending = new Map<Promise<void>, string>();
  const stopped = new AbortController();
  const loop = startWorkLoop({
    look: claimOnce,
    restMs: LOOK_EVERY_MS,
    onError: (error) => log.error({ err: error }, 'could not claim webhook deliveries; retrying'),
  });

  return {
    wake: () => loop.wake(),
    async stop() {
      stopped.abort(new Error('the service stops'));
      await loop.stop();
      await Promise.all(sending.keys());
    },
  };

  async function claimOnce(): Promise<number> {
    if (options.isHeld()) return LOOK_EVERY_MS;
    const limit = Math.min(AT_ONCE_OF_ACCOUNT, AT_ONCE - sending.size);
    const except = busyAccounts();
    const next = await nextDelivery(database.read, except);
    if (limit === 0 || next === null) return LOOK_EVERY_MS;
    if (next.inMs > 0) return Math.min(LOOK_EVERY_MS, next.inMs);
    const claim = { limit, leaseMs, except };
    for (const delivery of await database.write('webhook_claim', (trx) => claimDeliveries(trx, claim))) {
      const attempt = deliver(delivery)
        .catch((error: unknown) =>
          log.error(
            { err: error, delivery_id: delivery.id },
            'could not record a webhook attempt; it will be repeated',
          ),
        )
        .finally(() => {
          sending.delete(attempt);
          loop.wake();
        });
      sending.set(attempt, delivery.account_id);
    }
    return 1;
  }

  function busyAccounts(): string[] {
    const running = new Map<string, number>();
    for (const account of sending.values()) running.set(account, (running.get(account) ?? 0) + 1);
    return [...running].flatMap(([account, count]) => (count >= AT_ONCE_OF_ACCOUNT ? [account] : []));
  }

  async function deliver(delivery: DeliveryRow): Promise<void> {
    const startedAt = clock.now();
    const began = performance.now();
    const outcome = await attempt(delivery);
    // A stop is not the receiver's fault: the lease expires and the attempt is made again.
    if (stopped.signal.aborted && outcome.error !== null) return;
    const pause = outcome.isFinal === true ? undefined : pausesMs[delivery.attempts - 1];
    const nextInMs = outcome.error === null || pause === undefined ? null : withJitter(pause);
    const { responseStatus, error } = outcome;
    const attemptId = options.createId('wha');
    await database.write('webhook_attempt', (trx) =>
      finishAttempt(trx, delivery, {
        attemptId,
        startedAt,
        durationMs: Math.round(performance.now() - began),
        responseStatus,
        error,
        nextInMs,
      }),
    );
  }

  async function attempt(delivery: DeliveryRow): Promise<Attempt> {
    const data = await options.view(delivery);
    if (data === null) return { responseStatus: null, error: 'The task was deleted before delivery.', isFinal: true };
    const timestamp = new Date(clock.now());
    const body = JSON.stringify({ type: delivery.type, timestamp: timestamp.toISOString(), data });
    const owner = { accountId: delivery.account_id, mode: await modeOfDelivery(database.read, delivery) };
    const secrets = await ensureSecret(database, owner, clock.now());
    const { signal } = stopped;
    return await attemptDelivery(options.fetch, delivery.url, { id: delivery.id, timestamp, body, secrets, signal });
  }
}
