import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { ServiceError } from '@darkroom-service/contract';
import { cancelTask } from '../../src/orders/cancel-task.ts';
import { createTask } from '../../src/orders/create-task.ts';
import { isFinal } from '../../src/tasks/task.ts';
import { insertKey, openTestServices } from '../task-services.ts';
import { judgeEnd, judgeMoment, readTasks } from './judges.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { type SimulatedProcess, startProcess } from './process.ts';
import { createSeeded } from './seeded.ts';
import { Simulation } from './simulation.ts';
import { createUpstream } from './upstream.ts';

/** The orders of one seed, from their placing to their end. */
export interface Lives {
  /** What happened, one line an event. */
  readonly story: readonly string[];
  readonly deaths: number;
  /** How many orders ended in each status, such as `succeeded`. */
  readonly ends: Readonly<Record<string, number>>;
  readonly simulatedMs: number;
}

const HOUR_MS = 3_600_000;
/** Orders of which nobody can know anything end with it. */
const HARD_DEADLINE_MS = 600_000;
const JUDGED_EVERY_MS = 5_000;
/** Some of the orders cost this much. */
const SMALL_CREDIT = 400_000;
/** So often a client asks whether there is money again. */
const PATIENT_REFUSALS = 3;
/** Longer than a call takes in a process that lives. */
const PATIENCE_MS = 10_000;

/**
 * Lives the orders of a seed, from their placing to their end.
 * @param lies whether the upstream makes twice what it is sent twice, so that a judge has something to find
 * @throws Error with the end of the story; its cause is what a judge found
 */
export async function live(t: Pick<TestContext, 'after'>, seed: number, orders: number, lies = false): Promise<Lives> {
  const seeded = createSeeded(seed);
  const { services: whole, clock } = await openTestServices(t);
  const creditLimit = seeded.pick([null, SMALL_CREDIT]);
  const key = await insertKey(whole, { creditLimit });
  const simulation = new Simulation(clock, seeded);
  const outside = simulation.createWorld();
  const beganAt = clock.now();
  const story: string[] = [];
  const tell = (who: string, what: string) => void story.push(`${clock.now() - beganAt} ${who} ${what}`);
  const upstream = createUpstream({ seeded, now: () => clock.now(), tell, lies });
  const settings = { ...whole.settings, hardDeadlineMs: HARD_DEADLINE_MS };
  const shared = { ...whole, settings, storage: createMemoryStorage(() => clock.now()) };
  const deaths = seeded.pick([0, 0.003, 0.01, 0.03]);
  tell('seed', `${seed}: idempotency ${upstream.idempotency}, deaths ${deaths}, credit ${creditLimit}`);

  let current: SimulatedProcess | null = null;
  let started = 0;
  let died = 0;
  const begin = (): void => {
    const id = `p${++started}`;
    const world = simulation.createWorld();
    const onDeath = (why: string) => {
      tell(id, `dies ${why}`);
      died++;
      current = null;
      outside.setTimeout(begin, seeded.between(100, 20_000));
    };
    const start = { id, world, upstream, seeded, deaths, onDeath };
    world.setImmediate(() => {
      tell(id, 'starts');
      void startProcess(shared, start).then((process) => {
        current = process;
      });
    });
  };

  /** Calls the process that lives. @returns null if no answer came, as when it died or nobody listened */
  const call = <T>(run: (services: SimulatedProcess['services']) => Promise<T>): Promise<T | ServiceError | null> =>
    new Promise((resolve) => {
      const process = current;
      outside.setTimeout(() => resolve(null), PATIENCE_MS);
      const answer = (value: T | ServiceError) => void outside.setTimeout(() => resolve(value), seeded.between(1, 5));
      process?.world.setTimeout(
        () => void run(process.services).then(answer, (error) => answer(error as ServiceError)),
        seeded.between(1, 5),
      );
    });
  const pause = (ms: number) => new Promise<void>((resolve) => void outside.setTimeout(() => resolve(), ms));
  const answers = new Map<string, string>();

  async function orderAs(name: string): Promise<void> {
    // Many at the same moment share a commit.
    await pause(seeded.between(0, 20) * orders * 10);
    const waits = seeded.happens(0.5);
    const place = async () => {
      for (let refusals = 0; refusals < PATIENT_REFUSALS; ) {
        const order = { type: 'image', path: '/v1/images', body: { model_id: 'flux-2-pro', prompt: name } } as const;
        const created = await call((services) =>
          createTask(services, key, { ...order, idempotencyKey: name, simulate: null, waits }),
        );
        if (created instanceof Error) {
          assert.equal(created.code, 'insufficient_balance');
          refusals++;
        } else if (created !== null) return created.taskId;
        await pause(seeded.between(100, 3_000));
      }
      return null;
    };
    const taskId = await place();
    if (taskId === null) return tell(name, 'has no money');
    answers.set(name, taskId);
    tell(name, `is ${taskId}`);
    if (seeded.happens(0.2)) assert.equal(await place(), taskId, `${name} was placed twice`);
    if (!seeded.happens(0.15)) return;
    await pause(seeded.between(0, 15_000));
    const canceled = await call((services) => cancelTask(services, key, 'image', taskId));
    tell(
      name,
      canceled === null ? 'hears nothing of its cancel' : canceled instanceof Error ? canceled.message : 'cancels',
    );
  }

  let fault: unknown = null;
  let isOver = false;
  let areAnswered = false;
  const finals = new Map<string, string>();
  const look = async (): Promise<void> => {
    await judgeMoment(whole.database, upstream, creditLimit);
    const tasks = await readTasks(whole.database);
    for (const { id, status } of tasks.filter((task) => isFinal(task.status))) {
      if (!finals.has(id)) tell(id, status);
      assert.equal(status, finals.get(id) ?? status, `${id} ended twice`);
      finals.set(id, status);
    }
    if (!areAnswered || finals.size < tasks.length) return void outside.setTimeout(watch, JUDGED_EVERY_MS);
    await judgeEnd(whole.database, answers);
    current?.world.kill();
    // What the dead process had begun in the database is rolled back.
    outside.setTimeout(() => {
      isOver = true;
    }, 1_000);
  };
  const watch = () =>
    void look().catch((error) => {
      fault = error;
    });
  outside.setImmediate(() => {
    begin();
    watch();
    const clients = Array.from({ length: orders }, (_, place) => orderAs(`o${place + 1}`));
    Promise.all(clients).then(
      () => {
        areAnswered = true;
      },
      (error) => {
        fault ??= error;
      },
    );
  });
  await simulation
    .run(() => isOver || fault !== null, HOUR_MS)
    .catch((error) => {
      fault ??= error;
    });
  if (fault !== null) throw new Error(`seed ${seed}\n${story.slice(-40).join('\n')}`, { cause: fault });
  const ends = Object.groupBy(finals.values(), (status) => status);
  return {
    story,
    deaths: died,
    ends: Object.fromEntries(Object.entries(ends).map(([status, all]) => [status, all?.length ?? 0])),
    simulatedMs: clock.now() - beganAt,
  };
}
