import { errorFromFaults, type Fault, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import { isDataUri } from '../../base/data-uri.ts';
import type { OrderingKey, TaskServices } from '../../kernel.ts';
import { discardFiles, type JudgeServices, judgeOrder } from '../../kernel-orders.ts';
import { draftTask, type TaskDraft } from '../../orders/draft-task.ts';
import { assertWorth, parentsOf } from '../../orders/place-order.ts';
import type { EarlierOrders } from '../../tasks/earlier-orders.ts';
import { keysOf } from '../../tasks/judge.ts';
import type { AwaitedTasks } from '../../tasks/parent-gate.ts';
import { keepPriceList } from '../../tasks/price-lists.ts';
import type { Operation } from './read-entry.ts';

const KINDS = { images: 'image', videos: 'video', actions: 'action' } as const;

/** An order of a batch that everything but money and limits has agreed to. */
export interface JudgedBatchOrder {
  readonly draft: TaskDraft;
  readonly awaited: AwaitedTasks;
}

/**
 * Judges and prices one order as its own create would.
 * @param earlier the orders before it, which it may use by their names
 * @throws ServiceError with every fault
 */
export async function judgeBatchOrder(
  services: JudgeServices & Pick<TaskServices, 'followers'>,
  key: OrderingKey,
  operation: Operation,
  body: JsonObject,
  { earlier, now }: { readonly earlier: EarlierOrders; readonly now: number },
): Promise<JudgedBatchOrder> {
  const inline = Object.keys(body).flatMap((field) => faultsOfData(field, body[field]));
  if (inline.length > 0) throw errorFromFaults(inline);
  const order = await judgeOrder(services, key, { operation: KINDS[operation], body, simulate: null, earlier });
  const { newFiles } = order.judged;
  if (newFiles.length > 0) {
    await discardFiles(services, keysOf(newFiles), null);
    throw new ServiceError('invalid_reference', NO_DATA, { param: 'body' });
  }
  const draft = draftTask(services, order, now);
  assertWorth(draft.quote.amount, order.fields.maxPrice);
  await keepPriceList(services.database, draft.quote.basis.pricing);
  return { draft, awaited: { parents: parentsOf(order), used: order.judged.usedTasks } };
}

const NO_DATA =
  'data: URIs are not accepted in batches. Upload the file with POST /v1/files and send upload:<file_id>.';

/** Files within ten thousand orders would be stored before the batch is accepted. */
function faultsOfData(field: string, value: JsonValue | undefined): Fault[] {
  if (!field.endsWith('_url') && !field.endsWith('_urls')) return [];
  const sources = Array.isArray(value) ? value : [value];
  if (!sources.some((source: JsonValue | undefined) => typeof source === 'string' && isDataUri(source))) return [];
  return [{ param: field, code: 'invalid_reference', message: `${field}: ${NO_DATA}` }];
}
