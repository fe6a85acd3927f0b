import { type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { Kernel, OrderingKey } from '@darkroom-service/darkroom/kernel';
import type { Binding } from '@darkroom-service/darkroom/kernel-http';
import { outputsOf } from '@darkroom-service/darkroom/kernel-views';
import { createTargetReader } from './read-target.ts';
import { beginDeliveries, targetOf } from './stored-delivery.ts';

/**
 * Delivers all outputs of a task again, regardless of earlier deliveries: to the order's target, under the same names,
 * or elsewhere. An attempt in progress does not count.
 * @param deliverTo undefined = as before
 * @throws ServiceError `task_not_found`, `not_final`, `not_found`, `outputs_expired`, `invalid_request`
 */
export async function redeliver(
  { clock, settings, store, tasks }: Pick<Kernel, 'clock' | 'settings' | 'store' | 'tasks'>,
  key: OrderingKey,
  {
    type,
    taskId,
    deliverTo,
  }: { readonly type: 'image' | 'video'; readonly taskId: string; readonly deliverTo?: JsonValue | undefined },
  binding: Binding,
): Promise<void> {
  const { id, status } = await tasks.row(key, type, taskId);
  if (status === 'queued' || status === 'processing')
    throw new ServiceError('not_final', 'The task has no outputs yet. Wait until it has succeeded.');
  if (status !== 'succeeded') throw new ServiceError('not_found', `The task is ${status} and has no outputs.`);
  const readTarget = createTargetReader(store.read, settings.vault, settings.allowedAddresses);
  const asked =
    deliverTo === undefined ? null : await readTarget(deliverTo, { accountId: key.account.id, isBatch: false });
  if (asked !== null && 'fault' in asked) throw wrong(`deliver_to: ${asked.fault}.`);
  await store.write('redeliver', async (trx) => {
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
    trx.afterCommit(() => tasks.events.changed(id));
  });
}

function wrong(message: string): ServiceError {
  return new ServiceError('invalid_request', message, { param: 'deliver_to' });
}
