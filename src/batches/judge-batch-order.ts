import type { OrderingKey } from '../accounts/api-key.ts';
import type { JsonObject, JsonValue } from '../base/canonical-json.ts';
import { errorFromFaults, type Fault, ServiceError } from '../base/errors.ts';
import { isDataUri } from '../media/data-uri.ts';
import { judgeAction } from '../orders/create-action.ts';
import { judgeCreate } from '../orders/create-task.ts';
import { draftTask, type TaskDraft } from '../orders/draft-task.ts';
import { assertWorth, parentsOf } from '../orders/place-order.ts';
import type { TaskServices } from '../tasks/task-services.ts';
import { discardFiles } from '../uploads/new-file.ts';
import type { Operation } from './read-entry.ts';

const TYPES = { images: 'image', videos: 'video' } as const;

/** Judges and prices one order as its own create would. @throws ServiceError with every fault */
export async function judgeBatchOrder(
  services: TaskServices,
  key: OrderingKey,
  operation: Operation,
  body: JsonObject,
  now: number,
): Promise<TaskDraft> {
  const inline = Object.entries(body).flatMap(([field, value]) => faultsOfData(field, value));
  if (inline.length > 0) throw errorFromFaults(inline);
  const order =
    operation === 'actions'
      ? await judgeAction(services, key, { body, simulate: null })
      : {
          ...(await judgeCreate(services, key, { type: TYPES[operation], body, simulate: null })),
          wireFields: {},
          parentTaskId: null,
        };
  const { newFiles } = order.judged;
  if (newFiles.length > 0) {
    const keys = newFiles.map((file) => file.media.key);
    await discardFiles(services, keys, null);
    throw new ServiceError('invalid_reference', NO_DATA, { param: 'body' });
  }
  if (parentsOf({ key, ...order }).length > 0)
    throw new ServiceError('parent_not_ready', NO_WAITING, { param: 'wait_for_parent', retryAfterSeconds: 2 });
  const draft = draftTask(services, { key, ...order }, now);
  assertWorth(draft.quote.amount, order.fields.maxPrice);
  return draft;
}

const NO_DATA =
  'data: URIs are not accepted in batches. Upload the file with POST /v1/files and send upload:<file_id>.';

const NO_WAITING =
  'wait_for_parent: orders of a batch cannot wait for other tasks. Order this one alone, or wait until its parents succeed.';

/** Files within ten thousand orders would be stored before the batch is accepted. */
function faultsOfData(field: string, value: JsonValue): Fault[] {
  if (!/_urls?$/.test(field)) return [];
  const sources = Array.isArray(value) ? value : [value];
  if (!sources.some((source: JsonValue) => typeof source === 'string' && isDataUri(source))) return [];
  return [{ param: field, code: 'invalid_reference', message: `${field}: ${NO_DATA}` }];
}
