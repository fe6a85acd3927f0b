import type { TestContext } from 'node:test';
import type { CallContext, Engine } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import type { Database } from '../../src/database/database.ts';
import { cancelTask } from '../../src/orders/cancel-task.ts';
import { createTask } from '../../src/orders/create-task.ts';
import { judgeOrder } from '../../src/orders/judge-order.ts';
import { placeOrders } from '../../src/orders/place-order.ts';
import type { TaskRow } from '../../src/record/task.ts';
import { SharedValves } from '../../src/routing/valves.ts';
import { joinInterceptors } from '../../src/tasks/interceptor.ts';
import { createCallbackTrust } from '../../src/worker/callback-trust.ts';
import { createConfirmedUnsent } from '../../src/worker/confirmed-unsent.ts';
import { takeOverWithin } from '../../src/worker/ownership/take-over.ts';
import { Runner } from '../../src/worker/runner.ts';
import type { WorkerServices } from '../../src/worker/worker-services.ts';
import { openTestAnswers } from './answers.ts';
import { insertProcess } from './insert-process.ts';
import { plainLoad } from './plain-load.ts';
import { ONLY_PROCESS } from './process-state.ts';
import { startTestRefresh } from './start-refresh.ts';
import { steadyHeartbeat } from './steady-heartbeat.ts';
import { insertKey, openTestServices } from './task-services.ts';

const QUEUE = { name: 'sketch:live', capacity: 10 };
const BODY = { model_id: 'sketch', prompt: 'a fox' };

/** Called before and after the commit of each unit, by its name. What `before` throws rolls it back. */
interface Commits {
  readonly before?: (name: string) => void;
  readonly after?: (name: string) => void;
}

/** A runner with one engine over a fresh database. */
export async function openRunner(
  t: TestContext,
  changes: Partial<Engine>,
  heartbeat = steadyHeartbeat,
  commits: Commits = {},
  kind: Database['kind'] = 'sqlite',
  parts: {
    readonly load?: Partial<WorkerServices['load']>;
    readonly installation?: Partial<WorkerServices['installation']>;
  } = {},
) {
  const { services: whole, clock, database } = await openTestServices(t, kind);
  const write: typeof database.write = async (name, unit, options) => {
    const committed = await database.write(
      name,
      async (trx) => {
        const value = await unit(trx);
        commits.before?.(name);
        return value;
      },
      options,
    );
    commits.after?.(name);
    return committed;
  };
  const services = { ...whole, database: { ...database, write } };
  const valves = await SharedValves.open({
    database,
    clock,
    onChange: () => {},
    onError: () => {},
    startRefresh: startTestRefresh,
  });
  t.after(() => valves.stop());
  const answers = openTestAnswers(t);
  const calls: CallContext[] = [];
  const engine: Engine = {
    name: 'sketch',
    concurrency: 10,
    start: (_order, context) => {
      calls.push(context);
      return new Promise((_, reject) =>
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
      );
    },
    check: () => Promise.reject(new Error('it never started')),
    ...changes,
  };
  const runner = new Runner(
    {
      services,
      worker: 'one',
      engines: new Map([[engine.name, engine]]),
      valves,
      load: { ...plainLoad(), ...parts.load },
      fetchOutput: () => Promise.reject(new Error('nothing to fetch')),
      interceptors: joinInterceptors([]),
      heartbeat,
      leaseMs: 15_000,
      installation: { maySubmit: () => true, mayAdvance: () => true, ...parts.installation },
      processState: ONLY_PROCESS,
      confirmedUnsent: createConfirmedUnsent(),
      answers,
      callbacks: createCallbackTrust(),
      checks: { record: () => {}, forget: () => {} },
    },
    () => [QUEUE],
    () => QUEUE.capacity,
  );
  t.after(() => runner.stop({ drainMs: 0 }));
  await database.write('process', (trx) => insertProcess(trx, 'one'));
  const key = await insertKey(services);
  const rowOf = async (id: string) => {
    const { read } = database;
    return await read.first(read.builder.selectFrom('tasks').selectAll().where('id', '=', id));
  };
  return {
    answers,
    calls,
    clock,
    runner,
    database,
    storage: services.storage,
    rowOf,
    /** @returns the task's id. */
    async order(prompt = BODY.prompt): Promise<string> {
      const { task } = await createTask(services, key, {
        type: 'image',
        path: '/v1/images',
        body: { ...BODY, prompt },
        idempotencyKey: null,
        simulate: null,
      });
      runner.wake();
      return task.task_id;
    },
    /** Orders as a call of an OpenAI client does, which may begin in the commit that places it. @returns the row */
    async orderAtOnce(): Promise<TaskRow> {
      const binding = { find: async () => null, bind() {} };
      const order = { operation: 'image', body: BODY, simulate: null } as const;
      const judged = await judgeOrder(services, key, order);
      const here = { ...services, immediateStart: () => runner.immediateStart };
      const placed = await placeOrders(here, judged, { count: 1, binding, immediateStart: true });
      if (!('tasks' in placed)) throw new Error('nothing was to be found');
      return placed.tasks[0]!.row;
    },
    /** As other processes do when this one has been silent for long. */
    takeOver: () =>
      database.write('take_over', (trx) => takeOverWithin(trx, { id: 'one', beats: 1 }, { withoutTrace: 'all' })),
    statusOf: async (id: string) => (await rowOf(id))?.status,
    async cancel(id: string): Promise<void> {
      await until(
        () => rowOf(id),
        (row) => row?.step === 'running',
      );
      await cancelTask(services, key, 'image', id);
    },
  };
}
