import { dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { startWebhookSender } from '../events/webhook-sender.ts';
import { startHistoryKeeper } from '../operations/history/history-keeper.ts';
import { viewForOwner } from '../views/webhook-view.ts';
import { startReleaser } from '../worker/chains/releaser.ts';
import { createOutputFetch } from '../worker/delivery/fetch-output.ts';
import { createEngineLoad } from '../worker/engine-load.ts';
import { type Housekeeping, startHousekeeping } from '../worker/housekeeping.ts';
import { openLocalCapacity } from '../worker/local-capacity.ts';
import { createModeration } from '../worker/moderation.ts';
import { openQueues } from '../worker/open-queues.ts';
import { createEndedProcesses } from '../worker/ownership/ended-processes.ts';
import { startTakeOver } from '../worker/ownership/take-over.ts';
import { startReferenceFetcher } from '../worker/references/reference-fetcher.ts';
import { startCircuitWatch } from '../worker/rerouting/circuit-watch.ts';
import { startOwnServerWatch } from '../worker/rerouting/own-server-watch.ts';
import { startSpendWatch } from '../worker/rerouting/spend-watch.ts';
import { startRunner } from '../worker/runner.ts';
import { createAnswerSpool } from '../worker/spool/answer-spool.ts';
import { createAnswersInHand } from '../worker/spool/answers-in-hand.ts';
import { startAnswerRecovery } from '../worker/spool/recover-answers.ts';
import { createUnsentOrders } from '../worker/unsent-orders.ts';
import type { WorkerServices } from '../worker/worker-services.ts';
import type { Parts } from './open-parts.ts';
import { heartbeatTempo } from './open-process.ts';
import { rateLimitsOver } from './rate-limits-over.ts';

/** The worker part of the service. */
export interface Worker {
  readonly housekeeping: Housekeeping;
  /** Stops claiming and waits for calls that cannot be resumed; the closers also do this. */
  stopRunner(): Promise<void>;
}

/** @param drainMs returns how long a stop waits for calls that cannot be resumed; called when it stops. */
export async function startWorker(
  parts: Parts,
  config: Config,
  drainMs: () => number,
  closers: AsyncDisposableStack,
): Promise<Worker> {
  const { circuits, services, engines, fetch, switches, log, tempo, worker } = parts;
  const { engineSet, vault } = parts.upstreamKeys;
  const local = await openLocalCapacity({
    database: parts.database,
    worker: parts.process.id,
    engines,
    onError: (error) =>
      log.warn({ err: error }, 'could not read the abilities of other processes; keeping the last known ones'),
  });
  closers.defer(() => local.stop());
  const work: WorkerServices = {
    services,
    circuits,
    load: createEngineLoad(parts.clock, parts.limits, local, rateLimitsOver(parts)),
    worker: parts.process.id,
    engines: engineSet,
    moderation: config.moderation === null ? null : createModeration({ ...config.moderation, fetch, log }),
    fetchOutput: createOutputFetch(fetch),
    heartbeat: parts.process.heartbeat,
    leaseMs: heartbeatTempo(tempo).leaseMs,
    unsent: createUnsentOrders(),
    answers: createAnswersInHand({
      spool: createAnswerSpool(join(config.dataDirectory, 'spool'), parts.process.id),
      ended: createEndedProcesses(dirname(parts.process.lock.path)),
      now: () => parts.clock.now(),
      log,
    }),
  };
  const recovery = startAnswerRecovery(work, {
    holds: (taskId) => worker.runner?.holds(taskId) === true,
    resume: (task) => worker.runner?.resume(task),
  });
  closers.defer(() => recovery.stop());
  // Before this process claims anything: a task whose answer is on this disk must not be given up.
  const answered = await recovery.run();
  // Before the first claim, and before others' tasks are taken over: which upstream keys have orders.
  await engineSet.refresh();
  const runner = startRunner(work, async (claimedOf) => {
    await engineSet.refresh();
    return openQueues(engineSet, switches, circuits, work.load, claimedOf);
  });
  for (const task of answered) runner.resume(task);
  worker.attachRunner(runner);
  const fetcher = startReferenceFetcher(services, work.worker, config.references);
  worker.attachFetcher(fetcher);
  const releaser = startReleaser(work);
  worker.attachReleaser(releaser);
  closers.defer(() => releaser.stop());
  const takeOver = startTakeOver(work, (ended) => recovery.recoverEnded(ended));
  closers.defer(() => takeOver.stop());
  const watch = startCircuitWatch(work, () => runner.wake());
  closers.defer(() => watch.stop());
  const ownServers = startOwnServerWatch(work, () => runner.wake());
  closers.defer(() => ownServers.stop());
  void ownServers.look();
  const spending = startSpendWatch(work, () => runner.wake());
  closers.defer(() => spending.stop());
  void spending.look();
  let stopped: Promise<void> | null = null;
  const stopRunner = () => {
    stopped ??= Promise.all([runner.stop({ drainMs: drainMs() }), fetcher.stop()]).then(() => {});
    return stopped;
  };
  closers.defer(stopRunner);
  const webhooks = startWebhookSender({
    database: parts.database,
    clock: parts.clock,
    createId: services.createId,
    fetch,
    log,
    view: (delivery) => viewForOwner(services, delivery),
    leaseMs: tempo.deliveryLeaseMs,
    pausesMs: tempo.deliveryPausesMs,
  });
  worker.attachWebhooks(webhooks);
  closers.defer(() => webhooks.stop());
  const housekeeping = startHousekeeping(services, vault);
  closers.defer(() => housekeeping.stop());
  const history = startHistoryKeeper({ database: parts.database, clock: parts.clock, log });
  closers.defer(() => history.stop());
  return { housekeeping, stopRunner };
}
