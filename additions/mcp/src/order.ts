import { cutText, isJsonObject, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { fingerprint } from '@darkroom-service/darkroom/kernel';
import { Refusal } from './call-api.ts';
import type { Conversation } from './tool-context.ts';

export type OrderPath = '/v1/images' | '/v1/videos' | '/v1/images/actions' | '/v1/batches';

/** A create that can be sent any number of times: its key makes it one order. */
export interface Order {
  readonly path: OrderPath;
  readonly body: JsonObject;
  readonly key: string;
}

/**
 * Makes an order of a tool's arguments. Without a key of the caller's it gets one made of the arguments: a call that is
 * repeated because its answer was lost has the same arguments, and so finds the first order.
 * @throws Refusal `unsupported_field`
 */
export function orderOf(path: OrderPath, fields: JsonObject, key: string | undefined, { id }: Conversation): Order {
  const body = id === null ? fields : path === '/v1/batches' ? markEach(fields, id) : mark(fields, id);
  return { path, body, key: key ?? `mcp-${fingerprint({ path, body })}` };
}

/** Writes the conversation into each order of a batch. */
function markEach(fields: JsonObject, id: string): JsonObject {
  const orders = asList(fields.orders).map((order) => {
    if (!isJsonObject(order)) return order;
    if (isJsonObject(order.vary)) refuseEndUser(order.vary);
    return isJsonObject(order.body) ? { ...order, body: mark(order.body, id) } : order;
  });
  return { ...fields, orders };
}

function mark(fields: JsonObject, id: string): JsonObject {
  refuseEndUser(fields);
  return { ...fields, end_user: id };
}

function refuseEndUser(fields: JsonObject): void {
  if (fields.end_user === undefined) return;
  const message = "'end_user' is not accepted here: it names the conversation, which this connection has set.";
  throw new Refusal({ code: 'unsupported_field', message, param: 'end_user' });
}

/** Describes an order for a person: the kind, the model or the number of orders, and the beginning of the prompt. */
export function describeOrder({ body, path }: Order): string {
  if (path === '/v1/batches') return describeBatch(asList(body.orders).filter(isJsonObject));
  const kind = path === '/v1/videos' ? 'A film' : path === '/v1/images' ? 'A picture' : `The action ${body.action}`;
  const by = typeof body.model_id === 'string' ? ` by ${body.model_id}` : '';
  return `${kind}${by}${quoted(body.prompt)}`;
}

function describeBatch(entries: readonly JsonObject[]): string {
  const count = entries.reduce((sum, { vary }) => sum + combinations(isJsonObject(vary) ? vary : {}), 0);
  const bodies = entries.map(({ body }) => (isJsonObject(body) ? body : {}));
  const models = [...new Set(bodies.flatMap(({ model_id: id }) => (typeof id === 'string' ? [id] : [])))];
  const by = models.length === 0 || models.length > 3 ? '' : ` by ${models.join(', ')}`;
  const prompt = quoted(bodies.find((body) => typeof body.prompt === 'string')?.prompt);
  return `A batch of ${count} ${count === 1 ? 'order' : 'orders'}${by}${prompt}`;
}

function combinations(vary: JsonObject): number {
  return Object.values(vary).reduce<number>((product, values) => product * asList(values).length, 1);
}

function quoted(prompt: JsonValue | undefined): string {
  if (typeof prompt !== 'string') return '';
  return ` ("${cutText(prompt, 120, '…')}")`;
}

function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
