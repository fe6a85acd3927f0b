import { ServiceError } from '@darkroom-service/contract';
import type { Act, Kernel, TaskRow, Transaction } from '@darkroom-service/darkroom/kernel';
import { engineOf } from '@darkroom-service/darkroom/kernel-views';
import { notStuck, openTask } from './give-up-task.ts';

/** Minimum time between two checks of one order at its upstream that operators request. */
const AT_MOST_EVERY_MS = 10_000;

/**
 * Makes an order due at once, so that a worker asks its upstream about it. At most every ten seconds.
 * @throws ServiceError `task_not_found`, `task_expired`, `not_stuck`, `rate_limited`
 */
export async function requestPoll(
  kernel: Pick<Kernel, 'accounts' | 'store' | 'work'>,
  by: Act,
  taskId: string,
): Promise<void> {
  await kernel.store.write('ask_upstream', async (trx) => {
    await by.binding?.within(trx, taskId);
    await requestPollWithin(kernel, trx, by, taskId);
  });
}

/** Makes a worker ask the upstream about a task now, within a unit. @throws ServiceError as `requestPoll` */
export async function requestPollWithin(
  { accounts, store, work }: Pick<Kernel, 'accounts' | 'store' | 'work'>,
  trx: Transaction,
  by: Act,
  taskId: string,
): Promise<void> {
  const task = await openTask(trx, taskId);
  const refusal = refusalToAsk(task);
  if (refusal !== null) throw notStuck(task, refusal);
  await takeTurn(trx, by, taskId);
  // Its worker keeps the lease while it waits; another claim, by any process, takes it over.
  await trx.run(
    trx.builder
      .updateTable('tasks')
      .set({ next_at: await store.now(trx) })
      .where('id', '=', taskId)
      .where('fence', '=', task.fence)
      .where('step', '=', task.step),
  );
  await accounts.record(trx, by, { act: 'task.ask', target: taskId, detail: { engine: engineOf(task) } });
  trx.afterCommit(work.wakeRunner);
}

/** Returns the reason why asking would not help; null if it may. */
export function refusalToAsk({ step, worker }: Pick<TaskRow, 'step' | 'worker'>): string | null {
  if (step === 'running') return null;
  // A call that is open must not be taken over: its answer would be lost.
  if (worker !== null) return 'a worker is sending it to its upstream at this moment';
  return step === 'submitting' || step === 'deferred' ? null : 'no upstream has it, so none can be asked';
}

/** @throws ServiceError `rate_limited` */
async function takeTurn(trx: Transaction, { now }: Act, taskId: string): Promise<void> {
  const taken = await trx.run(
    trx.builder
      .insertInto('task_checks')
      .values({ task_id: taskId, checked_at: null, outcome: null, said: null, asked_at: now })
      .onConflict((conflict) =>
        conflict
          .column('task_id')
          .doUpdateSet({ asked_at: now })
          .where(({ fn, val }) => fn.coalesce('task_checks.asked_at', val(0)), '<=', now - AT_MOST_EVERY_MS),
      ),
  );
  if (taken > 0) return;
  throw new ServiceError('rate_limited', `The upstream was asked about this order less than 10 seconds ago.`, {
    retryAfterSeconds: AT_MOST_EVERY_MS / 1000,
  });
}
