import { createIdFactory } from '@darkroom-service/contract';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createEntryIds } from '../../src/accounts/entry-ids.ts';
import { RecentBalances } from '../../src/accounts/recent-balances.ts';
import { createLog } from '../../src/base/log.ts';
import type { Database } from '../../src/database/database.ts';
import { createStartRefresh } from '../../src/database/refresh.ts';
import { openValves } from '../../src/routing/open-valves.ts';
import { createTaskEvents } from '../../src/tasks/events/task-events.ts';
import { joinInterceptors } from '../../src/tasks/interceptor.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { WaitingCounts } from '../../src/tasks/waiting-counts.ts';
import { createCallbackTrust } from '../../src/worker/callback-trust.ts';
import { takeOverWithin } from '../../src/worker/ownership/take-over.ts';
import { type Runner, startRunner } from '../../src/worker/runner.ts';
import { createAnswersInHand } from '../../src/worker/spool/answers-in-hand.ts';
import { createUnsentOrders } from '../../src/worker/unsent-orders.ts';
import { insertProcess } from '../insert-process.ts';
import { ONLY_PROCESS } from '../own-facts.ts';
import { plainLoad } from '../plain-load.ts';
import { steadyHeartbeat } from '../steady-heartbeat.ts';
import { createLostSpool } from './lost-spool.ts';
import type { Seeded } from './seeded.ts';
import type { SimulatedWorld } from './simulation.ts';
import type { Upstream } from './upstream.ts';

/** A process with an API and a worker over the shared database. */
export interface SimulatedProcess {
  readonly world: SimulatedWorld;
  readonly services: TaskServices;
}

const QUEUE = { name: 'sketch:live', capacity: 20 };
const SLOW_COMMITS = 0.05;
const DEAD = new Error('the process is dead');

/**
 * Starts a process in its world, and takes over the orders of those that died before it.
 * @param parts.deaths the probability of a death before a commit, and of one after it
 */
export async function startProcess(
  shared: TaskServices,
  parts: {
    readonly id: string;
    readonly world: SimulatedWorld;
    readonly upstream: Upstream;
    readonly seeded: Seeded;
    readonly deaths: number;
    readonly onDeath: (why: string) => void;
  },
): Promise<SimulatedProcess> {
  const { id, world, upstream, seeded } = parts;
  const { clock } = shared;
  const dieAt = (why: string) => {
    if (world.isDead || !seeded.happens(parts.deaths)) return;
    world.kill();
    parts.onDeath(why);
  };
  const write: Database['write'] = async (name, unit, options) => {
    const work: typeof unit = async (trx) => {
      if (world.isDead) throw DEAD;
      const value = await unit(trx);
      // A commit takes time, in which others do what must not wait for it.
      if (seeded.happens(SLOW_COMMITS))
        await new Promise<void>((resolve) => world.alsoDead(resolve, seeded.between(1, 2_000)));
      dieAt(`before the commit of ${name}`);
      if (world.isDead) throw DEAD;
      return value;
    };
    const result = await (world.isDead ? Promise.reject(DEAD) : shared.database.write(name, work, options)).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if ('value' in result) dieAt(`after the commit of ${name}`);
    // Nothing follows in a dead process.
    if (world.isDead) await new Promise<never>(() => {});
    if ('error' in result) throw result.error;
    return result.value;
  };
  const database = { ...shared.database, write };
  let runner: Runner | null = null;
  const services: TaskServices = {
    ...shared,
    database,
    createId: createIdFactory(() => clock.now()),
    waitingCounts: new WaitingCounts(clock),
    balances: new RecentBalances(),
    entryIds: createEntryIds('test'),
    events: createTaskEvents(database),
    atOnce: () => runner?.atOnce ?? null,
    wakeRunner: () => runner?.wake(),
    roomLeft: () => runner?.wake(),
    cancelRequested: (taskId) => runner?.cancelRequested(taskId),
  };
  await database.write('process', (trx) => insertProcess(trx, id));
  const { read } = database;
  const others = read.builder.selectFrom('processes').select(['id', 'beats']).where('ended_at', 'is', null);
  // One process lives at a time, so all others are dead.
  for (const other of await read.all(others.where('id', '!=', id).orderBy('id')))
    await database.write('take_over', (trx) => takeOverWithin(trx, other, { withoutTrace: 'all' }));
  const valves = await openValves({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: createStartRefresh({ log: createLog('silent'), registry: new Registry() }),
  });
  const engine = upstream.openEngine(() => world.isDead);
  runner = startRunner(
    {
      services,
      worker: id,
      engines: new Map([[engine.name, engine]]),
      valves,
      load: plainLoad(clock),
      fetchOutput: () => Promise.reject(new Error('nothing to fetch')),
      interceptors: joinInterceptors([]),
      heartbeat: steadyHeartbeat,
      leaseMs: 15_000,
      installation: { maySubmit: () => true, mayAdvance: () => true },
      ownFacts: ONLY_PROCESS,
      unsent: createUnsentOrders(),
      answers: createAnswersInHand({
        spool: createLostSpool(id),
        ended: { take: () => null },
        now: () => clock.now(),
        log: pino({ level: 'silent' }),
      }),
      callbacks: createCallbackTrust(),
      checks: { note: () => {}, forget: () => {} },
    },
    () => [QUEUE],
    () => QUEUE.capacity,
  );
  return { world, services };
}
