import type { JsonValue } from '../base/canonical-json.ts';
import type { Transaction } from '../database/database.ts';
import { prepare } from '../database/prepared.ts';
import { letGoWithin, moveWithin } from '../tasks/move-task.ts';
import type { TaskRow } from '../tasks/task.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import type { UpstreamJob } from './spool/answer.ts';

/** The result of storing an operation: its task is running, or the operation already belongs to another task. */
export type Stored = { readonly running: TaskRow } | { readonly twin: Twin };

export interface Twin {
  readonly job: UpstreamJob;
  /** The task that had the job id first. */
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
 * Stores the operation by which an engine can be asked about its order. If an upstream gives two orders the same job id, one result would be
 * delivered and charged twice. So nothing is written for the second task.
 * @param job null if the engine has no job ids
 * @param checkAfterMs the task is released until then; 0 = it stays claimed and is checked at once
 * @throws LostClaim
 */
export async function storeOperation(
  services: TaskServices,
  task: TaskRow,
  operation: JsonValue,
  job: UpstreamJob | null,
  checkAfterMs: number,
): Promise<Stored> {
  const store = async (trx: Transaction): Promise<Stored> => {
    const owner = job === null ? task.id : await takeJob(trx, job, task.id);
    if (job !== null && owner !== task.id) return { twin: { job, taskId: owner } };
    const changes = { operation_json: JSON.stringify(operation), attempts: 0 };
    const running = await moveWithin(services, trx, task, 'running', changes);
    if (checkAfterMs > 0) letGoWithin(trx, running, { afterMs: checkAfterMs, attempts: 0 });
    return { running };
  };
  return await services.database.write('running', store, { together: true });
}

/** Reserves a job id. @returns the task that has it now, or had it before */
async function takeJob(trx: Transaction, { engine, name: job }: UpstreamJob, task: string): Promise<string> {
  const entered = await trx.first(enterJob, { engine, job, task });
  return (entered ?? (await trx.first(selectJob, { engine, job })))?.task_id ?? task;
}
