import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ServiceError } from '@darkroom-service/contract';
import type { Engine } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import type { OrderingKey } from '../../src/accounts/api-key.ts';
import type { Database } from '../../src/database/database.ts';
import { createTask } from '../../src/orders/create-task.ts';
import type { TaskRow } from '../../src/record/task.ts';
import { readTask, type TaskRecord } from '../../src/record/task-record.ts';
import type { Valves } from '../../src/routing/valves.ts';
import { joinInterceptors } from '../../src/tasks/interceptor.ts';
import type { TaskServices } from '../../src/tasks/task-services.ts';
import { advanceTask } from '../../src/worker/advance-task.ts';
import { createCallbackTrust } from '../../src/worker/callback-trust.ts';
import { ClaimedTask } from '../../src/worker/claimed-task.ts';
import { createConfirmedUnsent } from '../../src/worker/confirmed-unsent.ts';
import { outcomeUnknown } from '../../src/worker/decide/endings.ts';
import type { Answer } from '../../src/worker/spool/answer.ts';
import { DiskSpool } from '../../src/worker/spool/answer-spool.ts';
import { startAnswerRecovery } from '../../src/worker/spool/recover-answers.ts';
import { UnsavedAnswers, type UnstoredAnswer } from '../../src/worker/spool/unsaved-answers.ts';
import type { WorkerServices } from '../../src/worker/worker-services.ts';
import { claimTasks } from './claim-tasks.ts';
import { kindsInOrder } from './kinds-in-order.ts';
import { plainLoad } from './plain-load.ts';
import { ONLY_PROCESS } from './process-state.ts';
import { createScriptedEngine } from './scripted-engine.ts';
import { steadyHeartbeat } from './steady-heartbeat.ts';
import { commitEnding, commitMove } from './task-commits.ts';
import { openTestServices } from './task-services.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
const QUEUES = [{ name: 'sketch:live', capacity: 1_000_000 }];

/** One process, its database, its spool and what may go wrong between an engine's answer and the end of its task. */
export interface AnswerWorld {
  readonly services: TaskServices;
  readonly spoolDirectory: string;
  readonly faults: { database: 'before' | 'after' | null; spool: boolean };
  /** Whether a process died that alone had the answer. */
  readonly isLost: boolean;
  /** A task whose engine has just answered the process that holds it. */
  answeredOrder(key: OrderingKey, kind: Answer['kind']): Promise<string>;
  attempt(): Promise<void>;
  round(): Promise<void>;
  kill(): void;
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** A process of this machine claims the task, looks for an answer, and ends. */
  neighbour(): Promise<void>;
  takeElsewhere(): Promise<TaskRow | null>;
  giveUpElsewhere(): Promise<void>;
  /** Everything works again, and a process lives until nothing more is to be done. */
  heal(): Promise<void>;
  booksOf(taskId: string): Promise<{ task: TaskRow; reports: { kept_at: string }[]; entries: string[] }>;
}

interface Process {
  readonly work: WorkerServices;
  readonly answers: UnsavedAnswers;
  /** Claimed to store its answer. */
  task: TaskRecord | null;
}

const LEASE_MS = 15_000;

export async function openAnswerWorld(t: TestContext): Promise<AnswerWorld> {
  const { services: bare, clock, database } = await openTestServices(t);
  const spoolDirectory = await mkdtemp(join(tmpdir(), 'darkroom-spool-'));
  t.after(() => rm(spoolDirectory, { recursive: true, force: true }));
  const faults: AnswerWorld['faults'] = { database: null, spool: false };
  const services: TaskServices = { ...bare, database: faulty(database, faults) };
  const engine = createScriptedEngine({ name: 'sketch' });
  // An order that runs by its operation stays as it is.
  engine.answer = () => Promise.reject(new StorageError('unavailable', 'nobody looks further'));
  const live = new Set<string>();
  let started = 0;
  let process: Process | null = null;
  let orderId = '';
  let isLost = false;

  function start(): Process {
    const id = `process-${++started}`;
    live.add(id);
    const answers = new UnsavedAnswers({
      spool: new FaultySpool(spoolDirectory, id, faults),
      ended: { take: (other) => (live.has(other) ? null : { release: () => {} }) },
      now: () => clock.now(),
      log: services.log,
    });
    return { work: workOf(services, id, engine, answers), answers, task: null };
  }

  function end(): void {
    if (process === null) return;
    const held = process.answers.list()[0];
    if (held !== undefined && !isSpooled(held)) isLost = true;
    live.delete(process.work.worker);
    process = null;
  }

  async function round(): Promise<void> {
    if (process === null) return;
    const { work } = process;
    const recovery = startAnswerRecovery(work, { isWorkingOn: () => false, resume: () => {} });
    try {
      const [claimed] = await recovery.run();
      if (claimed !== undefined) process.task = readTask(claimed);
    } catch {
      // The next round tries again.
    }
    await recovery.stop();
  }

  async function attempt(): Promise<void> {
    if (process?.task == null || !process.answers.has(process.task.id)) return;
    const { work, task } = process;
    // One attempt: past its deadline nothing is tried again.
    await advanceTask(new ClaimedTask(work, { ...task, deadline_at: 0 })).catch(() => {});
    const held = process.answers.list()[0];
    assert.ok(held === undefined || faults.spool || isSpooled(held), 'what could not be stored is spooled');
  }

  async function takeElsewhere(): Promise<TaskRow | null> {
    clock.advance(LEASE_MS + 1);
    // As others do when the owner has been silent for longer than its call may take.
    await database.write('take_over', (trx) =>
      trx.run(
        trx.builder
          .updateTable('tasks')
          .set({ next_at: clock.now() })
          .where('step', '!=', 'final')
          .where('worker', 'is not', null),
      ),
    );
    const claimed = await claimTasks(database, { worker: 'elsewhere', queues: [], limit: 1_000 });
    return claimed.find((task) => task.id === orderId && task.operation_json === null) ?? null;
  }

  return {
    services,
    spoolDirectory,
    faults,
    get isLost() {
      return isLost;
    },
    async answeredOrder(key, kind) {
      Object.assign(faults, { database: null, spool: false });
      isLost = false;
      process = start();
      const body = { model_id: 'sketch', prompt: 'a fox' };
      const wish = { type: 'image', path: '/v1/images', body, idempotencyKey: null, simulate: null } as const;
      await createTask(bare, key, wish);
      const claimed = await claimTasks(database, { worker: process?.work.worker ?? '', queues: QUEUES, limit: 1_000 });
      const [task] = claimed.filter(({ step }) => step === 'preparing');
      if (task === undefined) throw new Error('nothing was claimed');
      orderId = task.id;
      const submitting = await commitMove(bare, readTask(task), 'submitting');
      process.task = submitting;
      process.answers.add(submitting, engine.name, answerOf(kind, task.id));
      return task.id;
    },
    attempt,
    round,
    kill: end,
    async stop() {
      await process?.answers.spoolAll();
      end();
    },
    async restart() {
      end();
      process = start();
      await round();
      await attempt();
    },
    async neighbour() {
      const task = await takeElsewhere();
      if (task === null) return;
      const other = start();
      const folders = await readdir(spoolDirectory, { recursive: true });
      const isOnDisk = folders.some((folder) => !folder.startsWith('late-results') && folder.includes(task.id));
      const found = await other.answers.find(task, engine.name);
      assert.ok(found !== null || !isOnDisk, 'nobody gives a task up whose answer lies on this disk');
      if (found === 'elsewhere' || found === null) {
        live.delete(other.work.worker);
        if (found === null) return void (await giveUp(bare, task));
        return await advanceTask(new ClaimedTask({ ...other.work, services: bare }, readTask(task)));
      }
      end();
      process = { ...other, task: readTask(task) };
      await attempt();
    },
    takeElsewhere,
    async giveUpElsewhere() {
      const task = await takeElsewhere();
      if (task !== null) await giveUp(bare, task);
    },
    async heal() {
      Object.assign(faults, { database: null, spool: false });
      process ??= start();
      for (let times = 0; times < 3; times++) {
        await round();
        await attempt();
      }
      // Whoever claimed it elsewhere and went on to nothing gives it up at last.
      const task = await takeElsewhere();
      if (task !== null) await giveUp(bare, task);
      await round();
      await round();
      end();
    },
    async booksOf(taskId) {
      const { read } = database;
      const [task] = await read.all(read.builder.selectFrom('tasks').selectAll().where('id', '=', taskId));
      const rows = await read.all(read.builder.selectFrom('reconciliation').selectAll().where('task_id', '=', taskId));
      const entries = await read.all(read.builder.selectFrom('ledger').select('kind').where('task_id', '=', taskId));
      const late = rows.filter(({ kind }) => kind === 'late_result').map(({ detail_json }) => JSON.parse(detail_json));
      return { task: task as TaskRow, reports: late, entries: kindsInOrder(entries) };
    },
  };
}

async function giveUp(services: TaskServices, task: TaskRow): Promise<void> {
  const { name, ending } = outcomeUnknown(readTask(task), null);
  await commitEnding(services, name, task, ending);
}

function isSpooled(held: UnstoredAnswer): boolean {
  return 'isSpooled' in held && held.isSpooled === true;
}

function answerOf(kind: Answer['kind'], taskId: string): Answer {
  if (kind === 'operation') return { kind, operation: { taskId }, job: { engine: 'sketch', name: taskId } };
  const outputs = [{ source: { data: PICTURE }, seed: 7, revisedPrompt: null, tiles: null }];
  return { kind, delivery: { outputs, keep: { scene: 'fox' } } };
}

/** The database of a process that cannot reach it, or is not told what became of its commits. */
function faulty(database: Database, faults: AnswerWorld['faults']): Database {
  const away = () =>
    new ServiceError('service_unavailable', 'injected', { outcomeUnknown: faults.database === 'after' });
  return {
    ...database,
    async write(name, unit, options) {
      if (faults.database === 'before') throw away();
      const result = await database.write(name, unit, options);
      if (faults.database === 'after') throw away();
      return result;
    },
  };
}

class FaultySpool extends DiskSpool {
  readonly #faults: AnswerWorld['faults'];

  constructor(directory: string, processId: string, faults: AnswerWorld['faults']) {
    super(directory, processId);
    this.#faults = faults;
  }

  override async write(...given: Parameters<DiskSpool['write']>): Promise<Answer> {
    if (this.#faults.spool) throw Object.assign(new Error('injected'), { code: 'ENOSPC' });
    return await super.write(...given);
  }
}

function workOf(services: TaskServices, worker: string, engine: Engine, answers: UnsavedAnswers): WorkerServices {
  return {
    services,
    worker,
    engines: new Map([[engine.name, engine]]),
    valves: {
      succeeded: async () => {},
      mayStart: () => true,
      of: () => null,
      stateOf: () => 'free',
    } as never as Valves,
    load: plainLoad(services.clock),
    fetchOutput: () => Promise.reject(new Error('nothing to fetch')),
    interceptors: joinInterceptors([]),
    heartbeat: steadyHeartbeat,
    leaseMs: LEASE_MS,
    installation: { maySubmit: () => true, mayAdvance: () => true },
    processState: ONLY_PROCESS,
    confirmedUnsent: createConfirmedUnsent(),
    answers,
    callbacks: createCallbackTrust(),
    checks: { record: () => {}, forget: () => {} },
  };
}
