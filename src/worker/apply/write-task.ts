import { LostClaim, letGo, moveTask, noteProgress } from '../../tasks/move-task.ts';
import { settleTask } from '../../tasks/settle-task.ts';
import type { ActionOf } from '../decide/action.ts';
import type { TaskEvent } from '../decide/event.ts';
import { sendBackToFetch } from '../references/claim-fetches.ts';
import { deferOrder } from '../rerouting/defer-order.ts';
import type { Attempt } from './attempt.ts';
import { removeOutputs } from './store-answer.ts';

/** Settles a task. @throws LostClaim if a result was delivered but somebody else had ended the task */
export async function settle(
  attempt: Attempt,
  { name, ending, outputs }: ActionOf<'settle'>,
  event: TaskEvent,
): Promise<void> {
  const { work, task } = attempt;
  const { log } = work.services;
  if (event.type === 'twin')
    log.error(
      { task_id: task.id, twin: event.taskId, job: event.job },
      'upstream gave two orders the same job id; failing one of them',
    );
  if (event.type === 'collect_failed')
    log.warn({ err: attempt.fault, task_id: task.id }, "could not store the engine's output; the task fails");
  const settled = await settleTask(work.services, name, task, ending);
  if (outputs === null) return;
  if (!settled || ending.status !== 'succeeded') await removeOutputs(attempt, outputs);
  if (!settled) throw new LostClaim(task.id);
}

/** Moves an order that was not submitted, or may be submitted again, to `deferred`. @throws LostClaim */
export async function takeBack(attempt: Attempt, { then }: ActionOf<'take_back'>): Promise<TaskEvent> {
  const { work, task } = attempt;
  if (then === 'claimed') work.unsent.note(task);
  attempt.task = await moveTask(work.services, 'deferred', task, 'deferred');
  return { type: then };
}

/** Defers and releases an order that its upstream certainly does not have. @throws LostClaim */
export async function defer({ work, task }: Attempt, wait: ActionOf<'defer'>): Promise<void> {
  if (wait.refused) return await deferOrder(work, task, wait);
  const deferred = await moveTask(work.services, 'deferred', task, 'deferred');
  await letGo(work.services, deferred, wait);
}

export async function releaseLease({ work, task }: Attempt, action: ActionOf<'let_go'>): Promise<void> {
  const { afterMs, attempts, progress, estimatedEndAt } = action;
  if (progress !== null) await noteProgress(work.services, task, progress);
  await letGo(work.services, task, { afterMs, attempts, ...(estimatedEndAt === null ? {} : { estimatedEndAt }) });
}

/** Sends an order of the previous version back to fetch its references, which that version fetched later. @throws LostClaim */
export async function fetchFirst({ work: { services }, task }: Attempt): Promise<void> {
  const sentBack = await services.database.write('sent_back', (trx) => sendBackToFetch(trx, task));
  if (!sentBack) throw new LostClaim(task.id);
  services.wakeFetcher();
  services.wakeRunner();
}
