import { type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey, TaskServices } from '@darkroom-service/darkroom/kernel';
import type { Binding } from '@darkroom-service/darkroom/kernel-http';
import { findTaskRow, outputsOf } from '@darkroom-service/darkroom/kernel-views';
import { beginDeliveries, targetOf } from './stored-delivery.ts';

/**
 * Delivers all outputs of a task again, regardless of earlier deliveries: to the order's target, under the same names,
 * or elsewhere. An attempt in progress does not count.
 * @param deliverTo undefined = as before
 * @throws ServiceError `task_not_found`, `not_final`, `not_found`, `outputs_expired`, `invalid_request`
 */
export async function redeliver(
  { database, clock, events, readDeliverTo }: Pick<TaskServices, 'clock' | 'database' | 'events' | 'readDeliverTo'>,
  key: OrderingKey,
  {
    type,
    taskId,
    deliverTo,
  }: { readonly type: 'image' | 'video'; readonly taskId: string; readonly deliverTo?: JsonValue | undefined },
  binding: Binding,
): Promise<void> {
  const { id, status } = await findTaskRow(database.read, key, type, taskId);
  if (status === 'queued' || status === 'processing')
    throw new ServiceError('not_final', 'The task has no outputs yet. Wait until it has succeeded.');
  if (status !== 'succeeded') throw new ServiceError('not_found', `The task is ${status} and has no outputs.`);
  const asked =
    deliverTo === undefined ? null : await readDeliverTo?.(deliverTo, { accountId: key.account.id, isBatch: false });
  if (asked != null && 'fault' in asked) throw wrong(`deliver_to: ${asked.fault}.`);
  await database.write('redeliver', async (trx) => {
    await binding.within(trx, id);
    // Locked, so that an attempt in progress is recorded first, or finds that it has lost its claim.
    const task = await trx.first(
      trx.builder
        .selectFrom('tasks')
        .select(['outputs_json', 'deliver_json', 'completed_at'])
        .where('id', '=', id)
        .where('erased_at', 'is', null)
        .forUpdate(),
    );
    if (task === undefined) throw new ServiceError('outputs_expired', 'The files of the task were erased.');
    const to = targetOf(asked?.stored ?? task.deliver_json);
    if (to === null) throw wrong('The task was ordered without deliver_to. Send deliver_to to deliver it now.');
    const now = clock.now();
    const outputs = outputsOf(task);
    beginDeliveries(trx, { id, accountId: key.account.id, completedAt: task.completed_at ?? now, outputs }, to, now);
    trx.afterCommit(() => events.changed(id));
  });
}

function wrong(message: string): ServiceError {
  return new ServiceError('invalid_request', message, { param: 'deliver_to' });
}
