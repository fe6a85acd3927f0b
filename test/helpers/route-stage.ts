import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { CatalogRoute, Model } from '@darkroom-service/contract/catalog';
import { DEFAULT_INSTANCE, type Engine, EngineError, type EngineErrorClass, kindOf } from '@darkroom-service/engines';
import { changedModel } from '../../src/catalog/fixtures/sample-catalog.ts';
import { figureName, keyedEngine } from '../../src/record/owned-instance.ts';
import { NO_FILTER, type RouteFilter } from '../../src/record/route-filter.ts';
import { readTask } from '../../src/record/task-record.ts';
import type { EngineSet } from '../../src/routing/engine-set.ts';
import type { RoutePolicy } from '../../src/routing/pick-route.ts';
import { createRouting } from '../../src/routing/routing.ts';
import { SharedValves } from '../../src/routing/valves.ts';
import { joinInterceptors } from '../../src/tasks/interceptor.ts';
import { LostClaim, releaseLease } from '../../src/tasks/move-task.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { abortAttempt, advanceTask } from '../../src/worker/advance-task.ts';
import { createCallbackTrust } from '../../src/worker/callback-trust.ts';
import { ClaimedTask } from '../../src/worker/claimed-task.ts';
import { createConfirmedUnsent } from '../../src/worker/confirmed-unsent.ts';
import { openQueues } from '../../src/worker/open-queues.ts';
import { ValveWatch } from '../../src/worker/rerouting/valve-watch.ts';
import type { WorkerServices } from '../../src/worker/worker-services.ts';
import { openTestAnswers } from './answers.ts';
import { claimTasks } from './claim-tasks.ts';
import { plainLoad } from './plain-load.ts';
import { ONLY_PROCESS } from './process-state.ts';
import type { StageMarket } from './stage-market.ts';
import { startTestRefresh } from './start-refresh.ts';
import { steadyHeartbeat } from './steady-heartbeat.ts';
import { openTestServices } from './task-services.ts';

/** An upstream's treatment of an order: it takes it, or fails in some way. */
export type Whim =
  | 'takes it'
  | {
      readonly fault: EngineErrorClass;
      readonly took: 'no' | 'yes' | 'unknown';
      readonly retryAfterMs: number | null;
      readonly scope?: 'engine' | 'route';
    };

/** A whim: the upstream takes the order, and its check tells that the content is refused. */
const REFUSES_LATER = 'takes it and refuses its content';
export type StageWhim = Whim | typeof REFUSES_LATER;

export const PATIENCE_MS = 45_000;
export const WAIT_MS = 300_000;

/** Ends the message of an order that an upstream took. No refusal ends so. */
export const MADE_NOTHING = ' took it and made nothing of it';

interface Call {
  readonly engine: string;
  readonly call: 'start' | 'check';
  readonly whim: Whim;
  readonly at: number;
  /** A valve of the engine or of its model was shut before, so that the order tests it. */
  readonly isTest?: boolean;
  /** The engine's upstream key was removed before. */
  readonly isRemoved?: boolean;
  /** The engine took the order, and refuses its content later. */
  readonly isRefusedLater?: boolean;
}

const COST = { as_of: '2026-11-01', source: 'test' } as const;

function routeAt(engine: string, costs: StageMarket['costs']): CatalogRoute {
  const amount = costs[engine];
  return { engine, ...(amount === undefined ? {} : { cost: { ...COST, components: [{ per: 'image', amount }] } }) };
}

/** An engine of the stage: by default it is the only one of its kind, and its upstream takes every order it gets. */
export type StageEngine = Pick<Engine, 'name' | 'instance' | 'idempotency'>;

/** Paid upstreams over one service, worked by hand: time passes only between rounds. */
export async function openStage(
  t: TestContext,
  kind: 'sqlite' | 'postgres',
  configured: readonly StageEngine[],
  {
    keyFee = { amount: 0, share: '0' },
    filter = NO_FILTER,
    market,
  }: {
    readonly keyFee?: TaskServices['settings']['instanceFee'];
    readonly filter?: RouteFilter;
    readonly market?: StageMarket;
  } = {},
) {
  const { services: bare, clock, database, address } = await openTestServices(t, kind);
  const calls = new Map<string, Call[]>();
  const inFlight = new Map<string, Set<string>>();
  let whims: Readonly<Record<string, readonly StageWhim[]>> = {};
  let turns = new Map<string, number>();

  const record = (taskId: string, call: Call) => calls.set(taskId, [...(calls.get(taskId) ?? []), call]);
  const engines = new Map(configured.map((one) => [one.name, createEngine(one)]));
  function createEngine(settings: StageEngine): Engine {
    const { name } = settings;
    return {
      ...settings,
      concurrency: 2,
      async start({ taskId }) {
        const busy = inFlight.get(name) ?? new Set();
        inFlight.set(name, busy.add(taskId));
        assert.ok(busy.size <= 2, `${busy.size} orders at ${name}, which makes 2`);
        const turn = turns.get(name) ?? 0;
        turns.set(name, turn + 1);
        // All upstream keys of a kind have the same whims.
        const list = whims[figureName(name)];
        const said = list?.[Math.min(turn, list.length - 1)] ?? 'takes it';
        const isRefusedLater = said === REFUSES_LATER;
        const now = isRefusedLater ? 'takes it' : said;
        const isRemoved = removed.has(name);
        const at = clock.now();
        const isTest = [name, `${name}/`].some((subject) => (valves.of(subject)?.since ?? at) < at);
        record(taskId, { engine: name, call: 'start', whim: now, at, isTest, isRemoved, isRefusedLater });
        await Promise.resolve();
        if (now === 'takes it') return { operation: { taskId, isRefusedLater }, checkAfterMs: 1 };
        busy.delete(taskId);
        const { fault, took, retryAfterMs, scope = 'engine' } = now;
        throw new EngineError(fault, `${name} says ${fault}`, {
          took,
          scope,
          ...(retryAfterMs === null ? {} : { retryAfterMs }),
        });
      },
      async check(operation, { taskId }) {
        inFlight.get(name)?.delete(taskId);
        record(taskId, { engine: name, call: 'check', whim: 'takes it', at: clock.now() });
        const { isRefusedLater } = operation as Pick<Call, 'isRefusedLater'>;
        if (isRefusedLater)
          return { status: 'failed', error: { code: 'content_policy', message: `${name} refuses it` } };
        if (market?.makes === true) {
          const output = { source: { data: market.picture }, seed: null, revisedPrompt: null, tiles: null };
          return { status: 'succeeded', delivery: { outputs: [output] } };
        }
        return { status: 'failed', error: { code: 'content_policy', message: `${name}${MADE_NOTHING}` } };
      },
    };
  }

  /** The engines of upstream keys, and who owns which. */
  const keyed = new Map<string, Engine>();
  const owned = new Map<string, Map<string, string>>();
  const removed = new Set<string>();
  const allEngines: EngineSet = {
    get: (name) => engines.get(name) ?? keyed.get(name),
    has: (name) => engines.has(name) || keyed.has(name),
    values: () => [...engines.values(), ...keyed.values()],
  };
  const valves = await SharedValves.open({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: startTestRefresh,
  });
  t.after(() => valves.stop());
  const catalog = bare.catalog();
  const sketch = catalog.find('sketch');
  assert.ok(sketch);
  const kinds = [...new Set(configured.map(kindOf))];
  let model = stagedModel();
  const further = Object.entries(market?.further ?? {}).map(([name, { price, engines: at, costs = {} }]) =>
    changedModel(sketch, {
      model_id: name,
      pricing: { components: [{ per: 'image', amount: price }] },
      routes: at.map((engine) => routeAt(engine, costs)),
    }),
  );
  function stagedModel(): Model {
    const { price, costs = {} } = market ?? {};
    return changedModel(sketch!, {
      ...(price === undefined ? {} : { pricing: { components: [{ per: 'image', amount: price }] } }),
      routes: kinds.map((engine) => routeAt(engine, costs)),
    });
  }
  let policy: RoutePolicy = 'order';
  const instances = {
    of: (account: string) => owned.get(account) ?? new Map<string, string>(),
    kinds: new Map(configured.map((one) => [kindOf(one), createEngine({ ...one, name: kindOf(one) })])),
  };
  const routingNow = () =>
    createRouting(engines, valves, { live: null, now: () => clock.now(), policy, instances, filter });
  let routing = routingNow();
  const services: TaskServices = {
    ...bare,
    settings: {
      ...bare.settings,
      hardDeadlineMs: 3_600_000,
      routePatienceMs: PATIENCE_MS,
      upstreamWaitMs: WAIT_MS,
      instanceFee: keyFee,
    },
    catalog: () => ({
      ...catalog,
      models: [model, ...further],
      find: (name) =>
        further.length === 0 ? model : ([model, ...further].find((one) => one.model_id === name) ?? null),
    }),
    get routing() {
      return routing;
    },
  };
  const load = plainLoad(clock);
  const work: WorkerServices = {
    services,
    valves,
    load,
    worker: 'test',
    engines: allEngines,
    fetchOutput: () => assert.fail('nothing is fetched'),
    interceptors: joinInterceptors([]),
    heartbeat: steadyHeartbeat,
    leaseMs: 15_000,
    installation: { maySubmit: () => true, mayAdvance: () => true },
    processState: ONLY_PROCESS,
    confirmedUnsent: createConfirmedUnsent(),
    answers: openTestAnswers(t),
    callbacks: createCallbackTrust(),
    checks: { record: () => {}, forget: () => {} },
  };
  let watch = new ValveWatch(work, () => {});
  const stopped: Promise<void>[] = [];
  const restartWatch = () => {
    stopped.push(watch.stop());
    watch = new ValveWatch(work, () => {});
  };
  t.after(async () => {
    await watch.stop();
    await Promise.all(stopped);
  });

  return {
    services,
    /** Where the database lies. */
    address,
    work,
    clock,
    calls,
    engines,
    valves,
    /** As after a restart with these engines. */
    restart(names: readonly string[], nextPolicy: RoutePolicy = policy) {
      policy = nextPolicy;
      engines.clear();
      for (const one of configured) if (names.includes(one.name)) engines.set(one.name, createEngine(one));
      routing = routingNow();
      restartWatch();
    },
    /** As after the catalog was read again with other prices and costs. */
    reprice() {
      model = stagedModel();
    },
    /** Removes the account's upstream key of a kind, if it has one, and sets another one. */
    setKey(account: string, kindName: string, isSet = true) {
      const ofAccount = owned.get(account) ?? new Map<string, string>();
      owned.set(account, ofAccount);
      const before = ofAccount.get(kindName);
      if (before !== undefined) removed.add(before);
      ofAccount.delete(kindName);
      if (!isSet) return;
      const name = keyedEngine(kindName, `upk_${keyed.size}_${account}`);
      const like = configured.find((one) => kindOf(one) === kindName);
      const refusal = async () => (removed.has(name) ? 'the key was removed' : null);
      keyed.set(name, {
        ...createEngine({ ...like, name, instance: { ...DEFAULT_INSTANCE, kind: kindName } }),
        refusal,
      });
      ofAccount.set(kindName, name);
    },
    behave(next: typeof whims) {
      whims = next;
      turns = new Map();
    },
    /** What a worker does in one look: valves, claims, and as far as each task goes. */
    async round(): Promise<void> {
      await watch.run();
      const queues = openQueues(allEngines, { valves, load }, () => 0);
      const claimed = await claimTasks(database, { worker: 'test', queues, limit: 20 });
      await Promise.all(
        claimed.map(async (task) => {
          const attempt = new ClaimedTask(work, readTask(task));
          await advanceTask(attempt).catch((error: unknown) =>
            error instanceof LostClaim ? undefined : abortAttempt(attempt, error),
          );
          // No runner keeps the task until its next check.
          const { end } = attempt;
          if (end?.type === 'delayed')
            await database.write('let_go', async (trx) =>
              releaseLease(trx, attempt.task, { afterMs: end.afterMs, attempts: 0 }),
            );
        }),
      );
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
