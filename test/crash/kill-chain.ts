import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { isFinal, type TaskRow } from '../../src/record/task.ts';
import { assertBooks, assertFiles, assertReconciliation, readTasks } from './books.ts';
import { type ChildService, KilledBeforeReady, type Premises } from './child-service.ts';
import { type PaidEngineOptions, readSubmissions } from './paid-engine.ts';
import { createPatientClient, type PatientClient } from './patient-client.ts';
import type { KillPoint } from './service-process.ts';

/** A client's actions across as many kills as there are; throws where the service breaks its word. */
export type Script = (client: PatientClient, child: ChildService) => Promise<unknown>;

export interface Step {
  readonly kill: KillPoint;
  readonly scripts: readonly Script[];
  /**
   * Only commits after the start count: what the kill before left undone could reach this one before the service is
   * ready.
   */
  readonly onceReady?: boolean;
}

const DIES_WITHIN_MS = 180_000;
const ENDS_WITHIN_MS = 240_000;
/** A lease of a webhook delivery holds for less than a minute. */
const PAST_THE_LEASES_MS = 61_000;

/**
 * Starts the service, lets clients order, has it killed at a commit, and starts it again for the next kill, on the same
 * data and with what the kill before left undone. At last it runs in peace: every script must come to its end, and
 * every promise must hold.
 */
export async function runKillChain(
  t: TestContext,
  premises: Premises,
  engines: readonly Omit<PaidEngineOptions, 'books'>[],
  steps: readonly Step[],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const client = createPatientClient();
  const running: Promise<unknown>[] = [];
  let foretold = new Map<string, string>();
  // Of steps whose kill hit before any client could order: what the kill before left undone reached its commit.
  let unasked: readonly Script[] = [];
  const ask = (child: ChildService, scripts: readonly Script[]) => {
    client.use(child);
    for (const script of scripts) {
      const run = script(client, child);
      run.catch(() => {});
      running.push(run);
    }
  };
  for (const { kill, scripts, onceReady = false } of steps) {
    const asked = [...unasked, ...scripts];
    const child = await premises.start(onceReady ? { variables } : { kill, variables }).catch((error: unknown) => {
      if (error instanceof KilledBeforeReady) return null;
      throw error;
    });
    unasked = child === null ? asked : [];
    if (child !== null) {
      if (onceReady) await child.killAt(kill);
      ask(child, asked);
      const how = await within(DIES_WITHIN_MS, child.ended, `the commit '${kill.name}' was never reached`);
      assert.equal(how.signal, 'SIGKILL');
    }
    premises.aheadMs += PAST_THE_LEASES_MS;
    await assertBooks(premises);
    foretold = await foretell(premises, engines, foretold);
  }
  const last = await premises.start({ variables });
  ask(last, unasked);
  const tasks = await untilFinal(premises, running);
  await assertBooks(premises);
  await assertReconciliation(premises);
  const submitted = new Set(readSubmissions(premises.books).map(({ taskId }) => taskId));
  for (const task of tasks) {
    const expected = foretold.get(task.id);
    if (expected !== undefined) assert.equal(endOf(task), expected, `${task.id} (${task.model_id})`);
    if (engines.some(({ name }) => name === task.model_id) && task.status === 'succeeded')
      assert.ok(submitted.has(task.id), 'a success was made by its upstream');
  }
  last.process.kill('SIGTERM');
  assert.deepEqual(await last.ended, { code: 0, signal: null });
  await assertFiles(t, premises);
}

/**
 * How a task of a paid engine must end, judged by what was on disk when the process died and by what the upstream had
 * received: what may have been handed over is not handed over again.
 */
async function foretell(
  premises: Premises,
  engines: readonly Omit<PaidEngineOptions, 'books'>[],
  before: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const submitted = new Set(readSubmissions(premises.books).map(({ taskId }) => taskId));
  const spooled = globSync('data/spool/*/*/answer.json', { cwd: premises.directory });
  const foretold = new Map<string, string>();
  for (const task of await readTasks(premises.database)) {
    const engine = engines.find(({ name }) => name === task.model_id);
    if (engine === undefined) continue;
    const earlier = before.get(task.id);
    if (isFinal(task.status)) {
      foretold.set(task.id, endOf(task));
      if (earlier !== undefined)
        assert.ok(earlier === endOf(task) || earlier === 'succeeded', `${task.id} was foretold ${earlier}`);
      continue;
    }
    const mayBeLost = task.step === 'submitting';
    const isFound = engine.findable === true && submitted.has(task.id);
    // Its answer was on disk already: the next start stores it.
    const isSpooled = spooled.some((path) => path.includes(task.id));
    const expected = mayBeLost && !isFound && !isSpooled ? 'outcome_unknown' : 'succeeded';
    if (earlier === 'outcome_unknown') assert.equal(expected, earlier, `${task.id} is no longer of unknown outcome`);
    if (!mayBeLost && task.operation_json === null)
      assert.ok(!submitted.has(task.id), `${task.id} is with its upstream, and its row does not say so`);
    foretold.set(task.id, expected);
  }
  return foretold;
}

function endOf(task: TaskRow): string {
  return task.error_json === null ? task.status : (JSON.parse(task.error_json) as { code: string }).code;
}

async function untilFinal({ database }: Premises, running: readonly Promise<unknown>[]): Promise<TaskRow[]> {
  try {
    await within(ENDS_WITHIN_MS, Promise.all(running), 'not every client came to its end');
  } catch (error) {
    const open = (await readTasks(database)).filter((task) => !isFinal(task.status));
    const steps = open.map(({ id, model_id, step }) => `${id} ${model_id} ${step}`).join(', ');
    throw new Error(`${(error as Error).message}; open: ${steps}`, { cause: error });
  }
  const tasks = await readTasks(database);
  for (const task of tasks) assert.ok(isFinal(task.status), `${task.id} is ${task.step}`);
  return tasks;
}

async function within<T>(ms: number, wait: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), ms);
  });
  return await Promise.race([wait, late]).finally(() => clearTimeout(timer));
}
