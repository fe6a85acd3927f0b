import type { Fault, JsonValue } from '@darkroom-service/contract';
import type { OrderingKey } from '../accounts/api-key.ts';
import type { TaskServices } from '../tasks/task-services.ts';

/**
 * Returns the target of outputs, as tasks store it; null = none, or there is a fault. An order of a batch has no
 * default of its own: that of its batch applies when its task is inserted.
 */
export async function readDeliverTo(
  { readDeliverTo: read }: Pick<TaskServices, 'readDeliverTo'>,
  { account }: OrderingKey,
  value: JsonValue | undefined,
  of: 'order' | 'batch' | 'order of a batch',
  faults: Fault[],
): Promise<string | null> {
  if (value === undefined || value === null)
    return read === null || of === 'order of a batch' ? null : account.deliverTo;
  const answer = (await read?.(value, { accountId: account.id, isBatch: of === 'batch' })) ?? {
    fault: 'this service does not deliver outputs',
  };
  if ('stored' in answer) return answer.stored;
  faults.push({ param: 'deliver_to', code: 'invalid_request', message: `deliver_to: ${answer.fault}.` });
  return null;
}
