import { createIdFactory, sleep } from '@darkroom-service/contract';
import { reportsInTurn } from '@darkroom-service/store';
import { Registry } from 'prom-client';
import { createEntryIds } from '../../src/accounts/entry-ids.ts';
import { createKeyring, type Keyring } from '../../src/accounts/keyring.ts';
import { RecentBalances } from '../../src/accounts/recent-balances.ts';
import { startBatchFeeder } from '../../src/additions/batches/batch-feeder.ts';
import { startReleaser } from '../../src/additions/chains/releaser.ts';
import { ADDITIONS } from '../../src/additions/list.ts';
import { startWebhookSender } from '../../src/additions/webhooks/webhook-sender.ts';
import { viewForOwner } from '../../src/additions/webhooks/webhook-view.ts';
import type { Database } from '../../src/database/database.ts';
import { createStartRefresh } from '../../src/database/refresh.ts';
import { Installation } from '../../src/installation/installation.ts';
import { copiedAt } from '../../src/installation/suspension.ts';
import type { Kernel } from '../../src/kernel.ts';
import { WaitingCounts } from '../../src/queue/waiting-counts.ts';
import { createRouting } from '../../src/routing/routing.ts';
import { acceptedUntilTrusted } from '../../src/routing/slow-begin.ts';
import { SharedValves } from '../../src/routing/valves.ts';
import { choresOf } from '../../src/service/open-additions.ts';
import { TaskEvents } from '../../src/tasks/events/task-events.ts';
import { type Interceptor, joinInterceptors } from '../../src/tasks/interceptor.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { createCallbackTrust } from '../../src/worker/callback-trust.ts';
import { createConfirmedUnsent } from '../../src/worker/confirmed-unsent.ts';
import { Housekeeping } from '../../src/worker/housekeeping.ts';
import { immediateCapacity, openQueues } from '../../src/worker/open-queues.ts';
import { TakeOver, takeOverWithin } from '../../src/worker/ownership/take-over.ts';
import { reconcileOpenOrders } from '../../src/worker/reconcile-open-orders.ts';
import { beginSlowly, beginSlowlyIfAlone } from '../../src/worker/rerouting/begin-slowly.ts';
import { ValveWatch } from '../../src/worker/rerouting/valve-watch.ts';
import { Runner } from '../../src/worker/runner.ts';
import { startAnswerRecovery } from '../../src/worker/spool/recover-answers.ts';
import { UnsavedAnswers } from '../../src/worker/spool/unsaved-answers.ts';
import type { WorkerServices } from '../../src/worker/worker-services.ts';
import { insertProcess } from '../helpers/insert-process.ts';
import { kernelOf } from '../helpers/kernel.ts';
import { plainLoad } from '../helpers/plain-load.ts';
import { ONLY_PROCESS } from '../helpers/process-state.ts';
import { watchFollowers } from './coverage.ts';
import type { Faults } from './faults.ts';
import { makeFaulty, type ProcessFaults } from './faulty-database.ts';
import { startSimulatedHeartbeat } from './heartbeat.ts';
import type { MachineSpool } from './machine-spool.ts';
import { LONGEST_STALL_MS, type Plan } from './plan.ts';
import type { Receiver } from './receiver.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';
import type { Upstreams } from './upstream.ts';

/** A process with an API and a worker over the shared database. */
export interface SimulatedProcess {
  readonly id: string;
  readonly world: SimulatedWorld;
  readonly services: TaskServices;
  readonly kernel: Kernel;
  readonly keyring: Keyring;
  /** It may die, stall or be stopped at this point. */
  readonly at: (point: string) => void;
  /** Its database takes nothing for some time. */
  readonly shutDatabase: ReturnType<typeof makeFaulty>['shut'];
  /** Stops it as a supervisor does, which lets it finish what it can. */
  readonly stop: () => Promise<void>;
}

/** The parts that all processes of a simulation share. */
export interface Shared {
  readonly services: Omit<TaskServices, 'database'>;
  readonly upstreams: Upstreams;
  /** Tells why an addition refuses an order or its result; null = nobody judges. */
  readonly judge: ((taskId: string, isMade: boolean) => string | null) | null;
  readonly plan: Plan;
  readonly receiver: Receiver;
  readonly seeded: Seeded;
  readonly faults: Faults;
  /** Counts what a process meets. */
  readonly meet: (cell: string) => void;
  readonly tell: (who: string, what: string) => void;
  /** Whether operators hold all submissions. */
  readonly isHeld: () => boolean;
}

const LEASE_MS = 15_000;
/** Shorter than in production, so that a story ends sooner, and so many that the last comes after all faults. */
const WEBHOOK_PAUSES_MS = Array.from({ length: 60 }, (_, place) => Math.min(30_000, 5_000 * (place + 1)));
const DRAIN_MS = 5_000;
/** So long a process may lack an engine. */
const LONGEST_MISSING_MS = 200_000;
const START_AGAIN_MS = 200;

/**
 * Starts a process in its world, and takes over the orders of those that died before it on its machine.
 * @param parts.died the processes that died on this machine
 */
export async function startProcess(
  shared: Shared,
  parts: {
    readonly id: string;
    readonly world: SimulatedWorld;
    readonly open: () => Promise<Database>;
    readonly died: readonly string[];
    readonly spool: MachineSpool;
    readonly onDeath: (why: string) => void;
    /** A supervisor stops it. */
    readonly onStop: (why: string) => void;
  },
): Promise<SimulatedProcess> {
  const { seeded, upstreams, receiver, isHeld, judge } = shared;
  const { id, world, died } = parts;
  const { clock, log } = shared.services;
  const faults: ProcessFaults = {
    meet: shared.meet,
    isDead: () => world.isDead,
    happens: (kind, point) => !world.isDead && shared.faults.happens(kind, point),
    at(point) {
      if (faults.happens('deaths', point)) {
        world.kill();
        parts.onDeath(point);
      } else if (faults.happens('stalls', point)) {
        const ms = seeded.between(1_000, LONGEST_STALL_MS);
        shared.tell(id, `stands still for ${ms} ms ${point}`);
        world.stall(ms);
      } else if (faults.happens('stops', point)) parts.onStop(point);
    },
  };
  const { database, shut } = makeFaulty(await parts.open(), world, faults);
  let runner: Runner | null = null;
  const engines = new Map(upstreams.openEngines(world, faults));
  if (faults.happens('missingEngines', 'a start')) {
    const missing = seeded.pick([...engines.keys()] as [string, ...string[]]);
    shared.tell(id, `has no ${missing} in its settings`);
    engines.delete(missing);
    world.setTimeout(() => parts.onStop(', to have all engines'), seeded.between(10_000, LONGEST_MISSING_MS));
  }
  await retrying(() => database.write('process', (trx) => insertProcess(trx, id)));
  const valves = await SharedValves.open({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    acceptedUntilTrusted: (name) => acceptedUntilTrusted(engines.get(name)),
    startRefresh: createStartRefresh({ log, registry: new Registry() }),
  });
  const createId = createIdFactory(() => clock.now());
  const options = { database, storage: shared.services.storage, isSuspendedBySetting: false, createId, log };
  const installation = shared.plan.restores
    ? await retrying(() => Installation.open({ ...options, now: () => clock.now() }))
    : null;
  const isSuspended = () => installation !== null && installation.suspension !== null;
  const maySubmit = () => !isHeld() && (installation?.maySubmit() ?? true);
  const services: TaskServices = {
    ...shared.services,
    storage: installation?.storage ?? shared.services.storage,
    obstacles: { ...shared.services.obstacles, copiedAt: () => copiedAt(installation?.suspension ?? null) },
    routing: createRouting(engines, valves, { live: null, now: () => clock.now() }),
    followers: watchFollowers(shared.services.followers, shared.meet),
    database,
    createId,
    queueDepths: new WaitingCounts(clock),
    balances: new RecentBalances(),
    entryIds: createEntryIds('test'),
    events: new TaskEvents(database),
    immediateStart: () => runner?.immediateStart ?? null,
    wakeRunner: () => runner?.wake(),
    wakeWork: (kind, subject) => {
      if (kind === undefined || kind === 'webhook') sender.wake();
      if (kind === undefined || kind === 'batch') feeder?.wake(subject);
      if (kind === undefined || kind === 'children') releaser?.wake();
    },
    roomLeft: () => runner?.wake(),
    calledBack(taskId, engine) {
      work.callbacks.heard(engine);
      return runner?.calledBack(taskId, engine) ?? false;
    },
    cancelRequested: (taskId) => runner?.cancelRequested(taskId),
  };
  const kernel = kernelOf(services);
  const sender = startWebhookSender(
    {
      ...kernel,
      files: { fetch: receiver.openFetch(world, faults) },
      work: { ...kernel.work, isSuspended, tempo: { deliveryPausesMs: WEBHOOK_PAUSES_MS } },
    },
    { figures: { ended: () => {} }, view: (delivery) => viewForOwner(kernel, delivery) },
  );
  const feeder = shared.plan.batch > 0 ? startBatchFeeder(kernel) : null;
  const releaser = shared.plan.batch > 0 ? startReleaser(kernel) : null;
  const work: WorkerServices = {
    services,
    worker: id,
    engines,
    valves,
    load: plainLoad(clock),
    fetchOutput: upstreams.openFetch(world, faults),
    interceptors: joinInterceptors([
      judge === null ? CALLBACKS : { ...CALLBACKS, ...judging(judge, () => seeded.between(1, 2_000)) },
    ]),
    heartbeat: startSimulatedHeartbeat({ database, id, world, leaseMs: LEASE_MS }),
    leaseMs: LEASE_MS,
    installation: { maySubmit, mayAdvance: () => installation?.mayAdvance() ?? true },
    processState: ONLY_PROCESS,
    confirmedUnsent: createConfirmedUnsent(),
    answers: new UnsavedAnswers({
      spool: parts.spool.open(id, faults),
      // No other process lives on this machine.
      ended: { take: () => ({ release: () => {} }) },
      now: () => clock.now(),
      log,
    }),
    callbacks: createCallbackTrust(),
    checks: { record: () => {}, forget: () => {} },
  };
  const recovery = startAnswerRecovery(work, {
    isWorkingOn: (taskId) => runner?.isWorkingOn(taskId) === true,
    resume: (task) => runner?.resume(task),
  });
  const answered = await retrying(() => recovery.run());
  await retrying(() => beginSlowlyIfAlone(work));
  const running = new Runner(
    work,
    (claimedOf) => (maySubmit() ? openQueues(work.engines, work, claimedOf) : []),
    (engine, queue) => (maySubmit() ? immediateCapacity(engine, queue, work) : null),
  );
  runner = running;
  installation?.onRelease(
    (held) => reconcileOpenOrders(services, engines, held),
    () => beginSlowly(work, 'the service was held'),
  );
  for (const task of answered) running.resume(task);
  for (const gone of died) await retrying(() => takeOverDead(database, gone));
  new ValveWatch(work, () => running.wake());
  new Housekeeping(services, { chores: choresOf(ADDITIONS, kernel), isSuspended });
  new TakeOver(work, (ended) => recovery.recoverEnded(ended));
  const keyring = createKeyring({ database, clock, cell: null, clientSecrets: () => NO_SECRETS });
  const stop = () => running.stop({ drainMs: DRAIN_MS });
  return { id, world, services, kernel, keyring, at: faults.at, shutDatabase: shut, stop };
}

/**
 * Does each chore once, which loads its module: in the first simulation of a program that would take turns of the event
 * loop, and events would come in another order.
 */
export async function loadChores(services: TaskServices): Promise<void> {
  const { database } = services;
  // A thread for reports would end by real time, in the middle of a simulation.
  const own = { ...services, database: { ...database, reports: reportsInTurn(() => database.read) } };
  const housekeeping = new Housekeeping(own, { chores: choresOf(ADDITIONS, kernelOf(own)) });
  await housekeeping.runOnce();
  await housekeeping.stop();
}

const NO_SECRETS = { signing: '', accepted: [] };

/** Upstreams that can are to call. */
const CALLBACKS: Interceptor = {
  callbackUrl: ({ id }, { readCallback }) => (readCallback === undefined ? null : `https://darkroom.test/${id}`),
};

const judging = (judge: NonNullable<Shared['judge']>, takesMs: () => number): Interceptor => ({
  async beforeSubmission({ id }, signal) {
    await sleep(takesMs(), { signal });
    return judge(id, false);
  },
  async beforeSuccess({ id }, _, signal) {
    await sleep(takesMs(), { signal });
    return judge(id, true);
  },
});

async function takeOverDead(database: Database, id: string): Promise<void> {
  const { read } = database;
  const row = read.builder.selectFrom('processes').select(['id', 'beats']).where('id', '=', id);
  const dead = await read.first(row);
  if (dead !== undefined)
    await database.write('take_over', (trx) => takeOverWithin(trx, dead, { withoutTrace: 'all' }));
}

/** A start is repeated until the database answers. */
async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await run().then(
      (value) => ({ value }),
      () => null,
    );
    if (done !== null) return done.value;
    await sleep(START_AGAIN_MS);
  }
}
