import { world } from '@darkroom-service/contract';
import type { Delivery } from '@darkroom-service/engines';
import type { Transaction } from '../../database/database.ts';
import { prepare } from '../../database/prepared.ts';
import type { TaskRecord } from '../../record/task-record.ts';
import { moveTask } from '../../tasks/move-task.ts';
import type { TaskServices } from '../../tasks/task-services.ts';
import type { ClaimedTask } from '../claimed-task.ts';
import { collect, discardDelivery } from '../collect/collect.ts';
import type { TaskEvent } from '../decide/event.ts';
import { OutputFault } from '../output-fault.ts';
import { retryOwnWrite } from '../retry-own-write.ts';
import { type Answer, bytesInMemory, type UpstreamJob } from '../spool/answer.ts';
import { operationOfDelivery } from '../spool/stored-delivery.ts';
import { storageFaultOf } from './storage-fault.ts';

/** After this time the write may hang, so the answer is spooled meanwhile. */
const SLOW_MS = 1000;

/** Answer of the engine to `start`, just received or found after a restart: not yet in the database. */
export interface Answered {
  readonly type: 'answered';
  /** Pause that the engine wants before the operation is checked, in milliseconds; null = not stated. */
  readonly checkAfterMs: number | null;
}

type OperationAnswer = Omit<Extract<Answer, { kind: 'operation' }>, 'kind'>;

/**
 * Stores an unsaved answer: an operation, or a result with its settlement. Retries while our own database or storage
 * fails, until the deadline. After the first failure the answer is spooled, and kept unless it was stored.
 * @param follow continues from the event of the answer
 * @returns the stored operation; null if the task has ended
 * @throws the error of the last attempt
 */
export async function storeAnswer(
  claimed: ClaimedTask,
  { checkAfterMs }: Answered,
  follow: (claimed: ClaimedTask, event: TaskEvent) => Promise<void>,
): Promise<TaskEvent | null> {
  const { work, task, signal } = claimed;
  const { answers } = work;
  // An order without cost can be submitted again.
  if (answers.of(task.id)?.kind === 'operation' && claimed.engine?.repeatable === true)
    return await store().finally(() => answers.release(task.id));
  const stored = await retryOwnWrite(work.services, task, signal, async () => {
    const slow = world.setTimeout(() => void answers.spool(task.id), spoolsAfterMs(claimed));
    try {
      return await store();
    } catch (error) {
      const fault = storageFaultOf(error);
      if (fault !== null) work.checks.record(task, 'storage', fault);
      const isOnDisk = await answers.spool(task.id);
      // The next process reads it again, so that a stop does not wait for the holder of the file.
      if (isOnDisk && error instanceof OutputFault) claimed.interruption.setResumable(true);
      throw error;
    } finally {
      world.clearTimeout(slow);
    }
  });
  await answers.release(task.id);
  return stored;

  /** Stores the answer. Each attempt starts from the original row, with the current form of the answer. */
  async function store(): Promise<TaskEvent | null> {
    const answer = answers.of(task.id);
    if (answer === null) throw new Error(`the answer to the task ${task.id} is no longer in hand`);
    claimed.task = task;
    if (answer.kind === 'operation') {
      const event = await storeOperation(claimed, { ...answer, checkAfterMs });
      if (event.type === 'stored') return event;
      await follow(claimed, event);
      return null;
    }
    await follow(claimed, await collect(claimed, answer.delivery));
    await discardDelivery(answer.delivery.outputs);
    return null;
  }
}

/**
 * Returns the time after which an answer is spooled. Media in memory go to a disk at once: to the storage's, or to the
 * spool while a remote storage receives them.
 */
function spoolsAfterMs({ work, task }: ClaimedTask): number {
  const answer = work.answers.of(task.id);
  return work.services.storage.isLocal || answer === null || bytesInMemory(answer) === 0 ? SLOW_MS : 0;
}

/**
 * Stores the operation by which the engine can be asked about its order. If an upstream gives two orders the same job
 * id, one result would be delivered and charged twice. So nothing is written for the second task.
 * @throws LostClaim
 */
export async function storeOperation(
  claimed: { readonly work: { readonly services: Pick<TaskServices, 'database' | 'events'> }; task: TaskRecord },
  { operation, job, checkAfterMs }: OperationAnswer & Pick<Answered, 'checkAfterMs'>,
): Promise<TaskEvent> {
  const { task } = claimed;
  const { services } = claimed.work;
  const stored = await services.database.write('running', store, { together: true });
  if ('taskId' in stored) return { type: 'same_job', ...stored };
  claimed.task = stored;
  return { type: 'stored', checkAfterMs };

  async function store(trx: Transaction): Promise<TaskRecord | { job: UpstreamJob; taskId: string }> {
    const taskId = job === null ? task.id : await takeJob(trx, job, task.id);
    if (job !== null && taskId !== task.id) return { job, taskId };
    const changes = { operation_json: JSON.stringify(operation), attempts: 0 };
    return await moveTask(services, trx, task, 'running', changes);
  }
}

/**
 * Stores a result whose files cannot be read yet, so that the order waits as one whose engine is asked for it.
 * @throws LostClaim
 */
export async function storeDelivery(claimed: ClaimedTask, delivery: Delivery): Promise<void> {
  const { task, work } = claimed;
  const operation = operationOfDelivery(task, task.route.engine, work.services.clock.now(), delivery);
  await storeOperation(claimed, { operation, job: null, checkAfterMs: null });
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

/** Reserves a job id. @returns the task that has it now, or had it before */
async function takeJob(trx: Transaction, { engine, name: job }: UpstreamJob, task: string): Promise<string> {
  const entered = await trx.first(enterJob, { engine, job, task });
  return (entered ?? (await trx.first(selectJob, { engine, job })))?.task_id ?? task;
}
