import type { JsonValue } from '../base/canonical-json.ts';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import type { Desk } from './desk.ts';
import { letGoWithin, moveWithin } from './move-task.ts';
import { settleTask } from './settle-task.ts';
import type { TaskRow } from './task.ts';

/** What an upstream calls an order. */
export interface UpstreamJob {
  readonly engine: string;
  readonly name: string;
}

/** What became of an operation: its task is running by it, or it is the operation of another task. */
export type Stored = { readonly running: TaskRow } | { readonly twin: Twin };

export interface Twin {
  readonly job: UpstreamJob;
  /** The task that was first. */
  readonly taskId: string;
}

interface Entry {
  readonly engine: string;
  readonly job: string;
  readonly task: string;
}

const enterJob = prepare<Entry, { task_id: string }>('enter_upstream_job', (builder, argument) =>
  builder
    .insertInto('upstream_jobs')
    .values({ engine: argument('engine'), job: argument('job'), task_id: argument('task') })
    .onConflict((conflict) => conflict.columns(['engine', 'job']).doNothing())
    .returning('task_id'),
);

const selectJob = prepare<Omit<Entry, 'task'>, { task_id: string }>('select_upstream_job', (builder, argument) =>
  builder
    .selectFrom('upstream_jobs')
    .select('task_id')
    .where('engine', '=', argument('engine'))
    .where('job', '=', argument('job')),
);

/**
 * Stores what an engine's order can be asked for by. An upstream that gives two orders one name would have us bring one result home twice,
 * and be paid for it twice: the second task does not run by it, and nothing of it is written.
 * @param job null where the engine gives its orders no names.
 * @param checkAfterMs the task is let go until then; 0 = it is kept, to be asked for at once.
 * @throws LostClaim
 */
export async function storeOperation(
  desk: Desk,
  task: TaskRow,
  operation: JsonValue,
  job: UpstreamJob | null,
  checkAfterMs: number,
): Promise<Stored> {
  const store = async (trx: Transaction): Promise<Stored> => {
    const owner = job === null ? task.id : await takeJob(trx, job, task.id);
    if (job !== null && owner !== task.id) return { twin: { job, taskId: owner } };
    const changes = { operation_json: JSON.stringify(operation), attempts: 0 };
    const running = await moveWithin(desk, trx, task, 'running', changes);
    if (checkAfterMs > 0) letGoWithin(trx, running, { afterMs: checkAfterMs, attempts: 0 });
    return { running };
  };
  return await desk.database.write('running', store, { together: true });
}

/** Ends a task whose order has the name of another task's: whether it was made is not known, so it is released and shown to the operator. */
export async function settleTwin(desk: Desk, task: TaskRow, { job, taskId }: Twin): Promise<boolean> {
  desk.log.error(
    { task_id: task.id, twin: taskId, job },
    'an upstream gave two orders one name; one of them is given up',
  );
  return await settleTask(desk, 'settle_unknown', task, {
    status: 'failed',
    failure: {
      code: 'outcome_unknown',
      message:
        'The engine took the order under the name of another one, so whether it was made is not known. It is not charged and was not sent again.',
    },
    detail: { engine: job.engine, job: job.name, same_job_as: taskId },
  });
}

/** @returns the task that has it from now on, or had it before. */
async function takeJob(trx: Transaction, { engine, name: job }: UpstreamJob, task: string): Promise<string> {
  const entered = await trx.first(enterJob, { engine, job, task });
  return (entered ?? (await trx.first(selectJob, { engine, job })))?.task_id ?? task;
}
