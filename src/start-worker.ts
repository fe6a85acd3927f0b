import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Config } from './config.ts';
import { startWebhookSender } from './events/webhook-sender.ts';
import type { Parts } from './open-parts.ts';
import { startCircuitWatch } from './tasks/circuit-watch.ts';
import { LEASE_MS, RENEW_EVERY_MS } from './tasks/claim-tasks.ts';
import { createOutputFetch } from './tasks/fetch-output.ts';
import { type Housekeeping, startHousekeeping } from './tasks/housekeeping.ts';
import { createModeration } from './tasks/moderation.ts';
import { openQueues } from './tasks/open-queues.ts';
import { startRunner } from './tasks/runner.ts';
import { createUnsentOrders } from './tasks/unsent-orders.ts';
import { viewForOwner } from './tasks/webhook-view.ts';
import type { WorkerDesk } from './tasks/worker-desk.ts';

/** The half of the service that makes what was ordered. */
export interface Worker {
  readonly housekeeping: Housekeeping;
  /** Stops claiming and waits for what cannot be resumed; the closers do the same for who only wants it closed. */
  stopRunner(): Promise<void>;
}

/** @param drainMs how long a stop waits for calls that cannot be resumed; asked when it stops. */
export function startWorker(
  parts: Parts,
  config: Config,
  drainMs: () => number,
  closers: AsyncDisposableStack,
): Worker {
  const { circuits, desk, engines, fetch, switches, log, tempo, working } = parts;
  const work: WorkerDesk = {
    desk,
    circuits,
    worker: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    engines,
    moderation: config.moderation === null ? null : createModeration({ ...config.moderation, fetch, log }),
    fetchOutput: createOutputFetch(fetch),
    lease: tempo.lease ?? { ms: LEASE_MS, renewEveryMs: RENEW_EVERY_MS },
    unsent: createUnsentOrders(),
  };
  const runner = startRunner(work, () => openQueues(engines, switches, circuits));
  working.runner = runner;
  const watch = startCircuitWatch(work, () => runner.wake());
  closers.defer(() => watch.stop());
  let stopped: Promise<void> | null = null;
  const stopRunner = () => {
    stopped ??= runner.stop({ drainMs: drainMs() });
    return stopped;
  };
  closers.defer(stopRunner);
  const webhooks = startWebhookSender({
    database: parts.database,
    clock: parts.clock,
    createId: desk.createId,
    fetch,
    log,
    view: (delivery) => viewForOwner(desk, delivery),
    leaseMs: tempo.deliveryLeaseMs,
    pausesMs: tempo.deliveryPausesMs,
  });
  working.webhooks = webhooks;
  closers.defer(() => webhooks.stop());
  const housekeeping = startHousekeeping(desk);
  closers.defer(() => housekeeping.stop());
  return { housekeeping, stopRunner };
}
