import { errorFromFaults, type Fault, type JsonObject, type JsonValue, ServiceError } from '@darkroom-service/contract';
import type { OrderingKey } from '../../kernel.ts';
import { type EarlierOrders, type GroupOrder, judgeGroupOrder } from '../../kernel-orders.ts';
import type { Operation } from './read-entry.ts';

const KINDS = { images: 'image', videos: 'video', actions: 'action' } as const;

/**
 * Judges and prices one order as its own create would.
 * @param earlier the orders before it, which it may use by their names
 * @throws ServiceError with every fault
 */
export async function judgeBatchOrder(
  services: Parameters<typeof judgeGroupOrder>[0],
  key: OrderingKey,
  operation: Operation,
  body: JsonObject,
  { earlier, now }: { readonly earlier: EarlierOrders; readonly now: number },
): Promise<GroupOrder> {
  const inline = Object.keys(body).flatMap((field) => faultsOfData(field, body[field]));
  if (inline.length > 0) throw errorFromFaults(inline);
  const sent = { operation: KINDS[operation], body, simulate: null, earlier };
  const judged = await judgeGroupOrder(services, key, sent, now);
  if (judged === null) throw new ServiceError('invalid_reference', NO_DATA, { param: 'body' });
  return judged;
}

const NO_DATA =
  'data: URIs are not accepted in batches. Upload the file with POST /v1/files and send upload:<file_id>.';

/** Files within ten thousand orders would be stored before the batch is accepted. */
function faultsOfData(field: string, value: JsonValue | undefined): Fault[] {
  if (!field.endsWith('_url') && !field.endsWith('_urls')) return [];
  const sources = Array.isArray(value) ? value : [value];
  if (!sources.some((source: JsonValue | undefined) => typeof source === 'string' && /^data:/i.test(source))) return [];
  return [{ param: field, code: 'invalid_reference', message: `${field}: ${NO_DATA}` }];
}
