import { hostname } from 'node:os';
import { isoTime, world } from '@darkroom-service/contract';
import { databaseNow } from '../../database/database-now.ts';
import { prepare } from '../../database/prepared.ts';
import { storeLateCost } from '../../record/cost-days.ts';
import { isWithoutTrace, type TaskRow } from '../../record/task.ts';
import { failureOf } from '../../record/task-json.ts';
import { readTask } from '../../record/task-record.ts';
import { reportDetailOf, reportToOperator } from '../../tasks/report-to-operator.ts';
import { claimedUntil } from '../claim-tasks.ts';
import { costOfLateResult } from '../order-cost.ts';
import type { Runner } from '../runner.ts';
import type { WorkerServices } from '../worker-services.ts';
import { folderOf } from './answer.ts';
import type { ProcessFolder } from './answer-spool.ts';
import type { UnstoredAnswer } from './unsaved-answers.ts';

/** Stores unsaved answers that no worker is storing: those of ended processes, and those whose first write failed. */
interface AnswerRecovery {
  /**
   * Runs a round now.
   * @returns the tasks claimed to store their answers
   * @throws the error of the database or the spool
   */
  run(): Promise<TaskRow[]>;
  /**
   * Takes over the answers of an ended process, and claims their tasks. Called with the lock of that process, before
   * its other tasks are taken over.
   * @throws the error of the database or the spool; its tasks must then not be taken over
   */
  recoverEnded(ended: ProcessFolder): Promise<void>;
  stop(): Promise<void>;
}

const EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 10 * 60_000;
/** Failure codes with which a worker ends a task although it has the unsaved answer. */
const GIVEN_UP = ['timeout', 'storage_error'];

const selectTask = prepare<{ id: string }, TaskRow>('answered_task', (builder, argument) =>
  builder.selectFrom('tasks').selectAll().where('id', '=', argument('id')),
);

const claimTask = prepare<{ id: string; fence: number; worker: string; now: number }, TaskRow>(
  'claim_answered',
  (builder, argument) =>
    builder
      .updateTable('tasks')
      .set((expression) => ({
        worker: argument('worker'),
        fence: expression('fence', '+', 1),
        next_at: claimedUntil(argument('now')),
        attempts: expression('attempts', '+', 1),
      }))
      .where('id', '=', argument('id'))
      .where('fence', '=', argument('fence'))
      .where('step', '=', 'submitting')
      .returningAll(),
);

/** Starts the rounds. @param runner advances the claimed tasks */
export function startAnswerRecovery(
  work: WorkerServices,
  runner: Pick<Runner, 'isWorkingOn' | 'resume'>,
): AnswerRecovery {
  const { answers, services } = work;
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let isFailing = false;
  let sweepAt = 0;
  const timer = world.setInterval(() => {
    if (waiting > 0) return;
    run()
      .then((claimed) => {
        isFailing = false;
        for (const task of claimed) runner.resume(task);
      })
      .catch((error: unknown) => {
        if (!isFailing) services.log.warn({ err: error }, 'could not process spooled engine answers; retrying');
        isFailing = true;
      });
  }, EVERY_MS);
  timer.unref();

  /** Runs one round at a time, because two would claim a task twice. */
  async function inTurn<T>(round: () => Promise<T>): Promise<T> {
    waiting++;
    const turn = last.then(round).finally(() => waiting--);
    last = turn.catch(() => {});
    return await turn;
  }

  function run(): Promise<TaskRow[]> {
    return inTurn(async () => {
      await answers.takeOverEnded();
      const claimed = await reviewAll();
      if (world.monotonic() >= sweepAt) {
        await answers.removeKept((taskId) => isErased(work, taskId));
        sweepAt = world.monotonic() + SWEEP_EVERY_MS;
      }
      return claimed;
    });
  }

  async function reviewAll(): Promise<TaskRow[]> {
    const claimed: TaskRow[] = [];
    for (const unstored of answers.list()) {
      if (runner.isWorkingOn(unstored.key.taskId)) continue;
      const task = await review(work, unstored);
      if (task !== null) claimed.push(task);
    }
    return claimed;
  }

  return {
    run,
    async recoverEnded(ended) {
      await inTurn(async () => {
        await answers.takeOver(ended);
        for (const task of await reviewAll()) runner.resume(task);
      });
    },
    async stop() {
      world.clearInterval(timer);
      await last;
    },
  };
}

/** @returns the task if it was claimed to store the answer */
async function review(work: WorkerServices, unstored: UnstoredAnswer): Promise<TaskRow | null> {
  const { answers, services } = work;
  const { key } = unstored;
  const task = await services.database.read.first(selectTask, { id: key.taskId });
  if (task === undefined) {
    services.log.error(
      { task_id: key.taskId, path: answers.keptPath(key.taskId) },
      'spooled engine answer belongs to no task of this database; keeping it',
    );
    if (await answers.spool(key.taskId)) await answers.keep(key.taskId);
    return null;
  }
  if (isWithoutTrace(task)) return await claim(work, unstored, task);
  if (task.step === 'final' && !isUsed(task, unstored)) await reportUnusedAnswer(work, unstored, task);
  // The answer is stored; only its removal from the spool failed.
  else if (task.step === 'final' || task.operation_json !== null) await answers.release(key.taskId);
  return null;
}

/**
 * Claims a task that no other process has taken over: its claim is unchanged since the answer came, or it has none.
 * Another process that has claimed it finds the answer if it can, or ends the task.
 */
async function claim(work: WorkerServices, { key }: UnstoredAnswer, task: TaskRow): Promise<TaskRow | null> {
  const { services, worker } = work;
  if (task.fence !== key.fence && task.worker !== null && task.worker !== worker) return null;
  const claimed = await services.database.write('claim_answered', async (trx) => {
    const now = await databaseNow(trx);
    return await trx.first(claimTask, { id: task.id, fence: task.fence, worker, now });
  });
  return claimed ?? null;
}

/** Tells whether the customer's data of the task was erased; its answer must then be removed too. */
async function isErased({ services }: WorkerServices, id: string): Promise<boolean> {
  const task = await services.database.read.first(selectTask, { id });
  return task !== undefined && task.erased_at !== null;
}

/** Tells whether the worker that had the answer ended the task with it. A takeover would have raised the fence. */
function isUsed(task: TaskRow, { key }: UnstoredAnswer): boolean {
  if (task.status === 'succeeded') return true;
  const failure = failureOf(task);
  return task.fence === key.fence + 1 && failure !== null && !GIVEN_UP.includes(failure.code);
}

/**
 * Reports, once, an answer whose task ended without it, and keeps its media for the operator. Changes neither status
 * nor money.
 */
async function reportUnusedAnswer(work: WorkerServices, unstored: UnstoredAnswer, task: TaskRow): Promise<void> {
  const { answers, services } = work;
  const { key, answer, engine } = unstored;
  // Spooled first, because the report names its path.
  if (!(await answers.spool(key.taskId))) return;
  const name = folderOf(key);
  const message =
    answer.kind === 'delivery'
      ? 'The result could not be stored before the task ended. Nothing was charged. `kept_at` names the directory that holds the result.'
      : 'The engine accepted the order, but its answer could not be stored before the task ended. Nothing was charged.';
  const detail = {
    engine,
    message,
    ...(answer.kind === 'operation' && answer.job !== null ? { job: answer.job.name } : {}),
    answer: name,
    received_at: isoTime(unstored.savedAt),
    host: hostname(),
    kept_at: answers.keptPath(key.taskId),
  };
  const cost = answer.kind === 'delivery' ? costOfLateResult(work, readTask(task), answer.delivery.upstreamCost) : null;
  await services.database.write('late_answer', async (trx) => {
    const reports = await trx.all(
      trx.builder.selectFrom('reconciliation').select(['id', 'detail_json']).where('task_id', '=', task.id),
    );
    // A takeover renames an answer, also after a report whose confirmation was lost.
    const reported = reports.find((row) => {
      const { answer, received_at } = reportDetailOf(row);
      return answer === name || (answer !== undefined && received_at === detail.received_at);
    });
    if (reported !== undefined) {
      const detail_json = JSON.stringify(detail);
      return void (await trx.run(
        trx.builder.updateTable('reconciliation').set({ detail_json }).where('id', '=', reported.id),
      ));
    }
    await reportToOperator(services, trx, { taskId: task.id, kind: 'late_result', detail });
    if (cost !== null) await storeLateCost(trx, task, cost, { charged: task.charged ?? 0, now: services.clock.now() });
  });
  services.log.error({ task_id: task.id, ...detail }, 'engine answer came too late; keeping it');
  await answers.keep(key.taskId);
}
