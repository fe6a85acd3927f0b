import type { JsonValue } from '@darkroom-service/contract';
import type { DeliveredOutput, Delivery } from '@darkroom-service/engines';
import type { TaskRow } from '../../record/task.ts';
import { DELIVERED } from '../../record/task-json.ts';
import { checkRecord, fromRecord, hostedSource, toRecord } from './spooled-answer.ts';

type Owner = Pick<TaskRow, 'id' | 'fence'>;

/** Tells whether all files of a result are at URLs without credentials, so that any process can read them later. */
export function isHosted({ outputs }: Delivery): boolean {
  return outputs.every(({ source }) => 'url' in source && source.headers === undefined);
}

/** Converts a result whose files are at URLs to the operation that stands for it. */
export function operationOfDelivery(task: Owner, engine: string, savedAt: number, delivery: Delivery): JsonValue {
  const key = { taskId: task.id, fence: task.fence };
  const record = toRecord(key, { engine, savedAt }, { kind: 'delivery', delivery }, delivery.outputs.map(urlOf));
  return { darkroom_delivery: record as unknown as JsonValue };
}

/** Returns the delivered result that is stored as the operation of an order; null = the operation is the engine's. */
export function storedDelivery(task: Pick<TaskRow, 'id' | 'operation_json'>): Delivery | null {
  if (task.operation_json?.startsWith(DELIVERED) !== true) return null;
  const stored = JSON.parse(task.operation_json) as { readonly darkroom_delivery: unknown };
  const answer = fromRecord(checkRecord(stored.darkroom_delivery, { taskId: task.id }), (file) => file);
  return answer.kind === 'delivery' ? answer.delivery : null;
}

function urlOf({ source }: DeliveredOutput) {
  if (!('url' in source)) throw new Error('only what lies at a URL is stored in the row');
  return hostedSource(source);
}
