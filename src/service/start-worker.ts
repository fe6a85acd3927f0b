import { dirname, join } from 'node:path';
import { Gauge } from 'prom-client';
import type { CreateChores } from '../erasure/chore.ts';
import { createCallbackTrust } from '../worker/callback-trust.ts';
import { createOutputFetch } from '../worker/collect/download.ts';
import { createConfirmedUnsent } from '../worker/confirmed-unsent.ts';
import { createEngineLoad, type Machine } from '../worker/engine-load.ts';
import { Housekeeping } from '../worker/housekeeping.ts';
import { startLastChecks } from '../worker/last-checks.ts';
import { openLocalCapacity } from '../worker/local-capacity.ts';
import { immediateCapacity, openQueues } from '../worker/open-queues.ts';
import { createEndedProcesses } from '../worker/ownership/ended-processes.ts';
import { TakeOver } from '../worker/ownership/take-over.ts';
import { reconcileOpenOrders } from '../worker/reconcile-open-orders.ts';
import { beginSlowly, beginSlowlyIfAlone } from '../worker/rerouting/begin-slowly.ts';
import { startOwnServerWatch } from '../worker/rerouting/own-server-watch.ts';
import { startSpendWatch } from '../worker/rerouting/spend-watch.ts';
import { ValveWatch } from '../worker/rerouting/valve-watch.ts';
import { Runner } from '../worker/runner.ts';
import { DiskSpool } from '../worker/spool/answer-spool.ts';
import { measureSpool } from '../worker/spool/read-spool.ts';
import { startAnswerRecovery } from '../worker/spool/recover-answers.ts';
import { UnsavedAnswers } from '../worker/spool/unsaved-answers.ts';
import type { WorkerServices } from '../worker/worker-services.ts';
import type { Config } from './config/config.ts';
import type { Parts } from './open-parts.ts';
import { heartbeatTempo } from './open-process.ts';
import { openRateLimits } from './shared-rate-limits.ts';

/** The worker part of the service. */
interface Worker {
  readonly housekeeping: Housekeeping;
  /** Stops claiming and waits for calls that cannot be resumed; the closers also do this. */
  stopRunner(): Promise<void>;
}

/**
 * Starts the worker of this process.
 * @param process.drainMs returns how long a stop waits for calls that cannot be resumed; called when it stops.
 */
export async function startWorker(
  parts: Parts,
  config: Config,
  {
    interceptors,
    chores,
    drainMs,
    machine,
  }: Pick<WorkerServices, 'interceptors'> & {
    readonly chores: readonly CreateChores[];
    readonly drainMs: () => number;
    readonly machine: Machine;
  },
  closers: AsyncDisposableStack,
): Promise<Worker> {
  const { valves, engineSet, services, engines, log, worker } = parts;
  const local = await openLocalCapacity({
    database: parts.database,
    worker: parts.process.id,
    engines,
    startRefresh: parts.startRefresh,
    log,
  });
  closers.defer(() => local.stop());
  const spool = join(config.dataDirectory, 'spool');
  const checks = startLastChecks(services);
  closers.defer(() => checks.stop());
  const work = servicesOfWorker(parts, { local, spool, checks, interceptors, machine });
  new Gauge({
    name: 'darkroom_unstored_answers',
    help: 'Answers of engines that this process holds, in memory or on its disk, and has not stored yet.',
    registers: [parts.registry],
    collect() {
      this.set(work.answers.list().length);
    },
  });
  measureSpool(parts.registry, spool);
  const recovery = startAnswerRecovery(work, {
    isWorkingOn: (taskId) => worker.runner?.isWorkingOn(taskId) === true,
    resume: (task) => worker.runner?.resume(task),
  });
  closers.defer(() => recovery.stop());
  // Before this process claims anything: a task whose answer is on this disk must not be given up.
  const answered = await recovery.run();
  // Before the first claim, and before others' tasks are taken over: reads the engines of accounts that have orders.
  await engineSet.refresh();
  await beginSlowlyIfAlone(work);
  const gatekeepers = {
    valves,
    load: work.load,
    isRefused: (engine: string) => parts.processState.refusedKey(engine) !== null,
  };
  const runner = new Runner(
    work,
    async (claimedOf) => {
      await engineSet.refresh();
      return parts.installation.maySubmit() ? openQueues(engineSet, gatekeepers, claimedOf) : [];
    },
    (engine, queue) => immediateCapacity(engine, queue, gatekeepers),
  );
  for (const task of answered) runner.resume(task);
  worker.runner = runner;
  const takeOver = new TakeOver(work, (ended) => recovery.recoverEnded(ended));
  closers.defer(() => takeOver.stop());
  const watch = new ValveWatch(work, () => runner.wake());
  closers.defer(() => watch.stop());
  const ownServers = startOwnServerWatch(work, () => runner.wake());
  closers.defer(() => ownServers.stop());
  void ownServers.run();
  const spending = startSpendWatch(work, () => runner.wake());
  closers.defer(() => spending.stop());
  void spending.run();
  let stopped: Promise<void> | null = null;
  const stopRunner = () => {
    stopped ??= runner.stop({ drainMs: drainMs() });
    return stopped;
  };
  closers.defer(stopRunner);
  parts.installation.onRelease(
    (held) => reconcileOpenOrders(services, engineSet, held),
    () => beginSlowly(work, 'the service was held'),
  );
  const housekeeping = new Housekeeping(services, {
    chores,
    isSuspended: () => parts.installation.suspension !== null,
  });
  closers.defer(() => housekeeping.stop());
  return { housekeeping, stopRunner };
}

interface OwnParts extends Pick<WorkerServices, 'checks' | 'interceptors'> {
  readonly local: Awaited<ReturnType<typeof openLocalCapacity>>;
  /** The directory of answers that could not be stored yet. */
  readonly spool: string;
  readonly machine: Machine;
}

function servicesOfWorker(parts: Parts, { local, spool, checks, interceptors, machine }: OwnParts): WorkerServices {
  return {
    services: parts.services,
    checks,
    valves: parts.valves,
    load: createEngineLoad(parts.clock, parts.limits, local, openRateLimits(parts), machine),
    worker: parts.process.id,
    engines: parts.engineSet,
    fetchOutput: createOutputFetch(parts.fetch),
    interceptors,
    heartbeat: parts.process.heartbeat,
    leaseMs: heartbeatTempo(parts.tempo).leaseMs,
    installation: {
      maySubmit: () => parts.installation.maySubmit(),
      mayAdvance: () => parts.installation.mayAdvance() && !parts.processState.isCutOff(),
    },
    confirmedUnsent: createConfirmedUnsent(),
    processState: parts.processState,
    answers: new UnsavedAnswers({
      spool: new DiskSpool(spool, parts.process.id),
      ended: createEndedProcesses(dirname(parts.process.lock.path)),
      now: () => parts.clock.now(),
      log: parts.log,
    }),
    callbacks: createCallbackTrust(),
  };
}
