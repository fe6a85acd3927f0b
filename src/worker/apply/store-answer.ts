import { MediaFault } from '../../media/media-fault.ts';
import { moveTask } from '../../tasks/move-task.ts';
import type { StoredOutput } from '../../tasks/task.ts';
import type { ActionOf } from '../decide/action.ts';
import type { TaskEvent } from '../decide/event.ts';
import { collectOutputs, discardDelivery } from '../delivery/collect-outputs.ts';
import { asOutputFault } from '../delivery/fetch-output.ts';
import { questionAfter } from '../moderation-question.ts';
import { OutputFault } from '../output-fault.ts';
import type { Answer } from '../spool/answer.ts';
import { saveAnswer } from '../spool/save-answer.ts';
import { storeOperation } from '../store-operation.ts';
import type { Attempt } from './attempt.ts';

/** Stores the unsaved answer: an operation, or a result with its settlement. Each attempt starts from the original row. */
export async function storeAnswer(
  attempt: Attempt,
  { checkAfterMs, retries }: ActionOf<'save_answer'>,
): Promise<TaskEvent | null> {
  const { work, task, held } = attempt;
  const store = async (answer: Answer) => {
    attempt.task = task;
    if (answer.kind === 'operation') {
      const { operation, job } = answer;
      return await attempt.follow({ type: 'operation_in_hand', operation, job, checkAfterMs }, 'stored');
    }
    const end = await attempt.follow({ type: 'delivered', delivery: answer.delivery });
    await discardDelivery(answer.delivery.outputs);
    return end;
  };
  if (retries) return await saveAnswer(work, task, held, store);
  const answer = work.answers.of(task.id);
  if (answer === null) throw new Error(`the answer to the task ${task.id} is no longer in hand`);
  return await store(answer).finally(() => work.answers.release(task.id));
}

/** Stores the operation by which the engine can be asked about the order. With a pause, the same commit releases the task. */
export async function writeOperation(
  attempt: Attempt,
  { operation, job, checkAfterMs }: ActionOf<'store_operation'>,
): Promise<TaskEvent> {
  const stored = await storeOperation(attempt.work.services, attempt.task, operation, job, checkAfterMs);
  if ('twin' in stored) return { type: 'twin', ...stored.twin };
  attempt.task = stored.running;
  return { type: 'stored', checkAfterMs };
}

/** Handles a delivered result that the engine can return again: its local files are removed in any case. */
export async function deliver(attempt: Attempt, { delivery }: ActionOf<'deliver'>): Promise<TaskEvent | null> {
  return await attempt.follow({ type: 'delivered', delivery }).finally(() => discardDelivery(delivery.outputs));
}

/** Copies the outputs into our storage and asks moderation. @throws errors that are not caused by the outputs themselves */
export async function collect(attempt: Attempt, { delivery }: ActionOf<'collect'>): Promise<TaskEvent> {
  const { work, held } = attempt;
  attempt.task = await moveTask(work.services, 'collecting', attempt.task, 'collecting');
  try {
    const outputs = await collectOutputs(work, attempt.task, delivery.outputs, held.signal);
    const question = questionAfter(attempt.task, outputs, work.services.signer);
    const refusal = (await work.moderation?.judge(question, held.signal)) ?? null;
    return { type: 'collected', delivery, outputs, refusal };
  } catch (error) {
    const fault = asOutputFault(error);
    attempt.fault = fault;
    if (fault instanceof MediaFault) return { type: 'collect_failed', message: fault.message, mayPass: false };
    if (!(fault instanceof OutputFault)) throw fault;
    return { type: 'collect_failed', message: fault.message, mayPass: fault.retryable };
  }
}

/** Removes outputs from our storage that no task refers to. */
export async function removeOutputs({ work }: Attempt, outputs: readonly StoredOutput[]): Promise<void> {
  for (const { key, thumbnailKey, previewKey = null } of outputs)
    for (const each of [key, thumbnailKey, previewKey]) if (each !== null) await work.services.storage.remove(each);
}
