import { fingerprint, type JsonObject } from '../base/canonical-json.ts';
import { Refusal } from './call-api.ts';
import type { Conversation } from './tool-context.ts';

export type OrderPath = '/v1/images' | '/v1/videos' | '/v1/images/actions';

/** A create, ready to be sent any number of times: its key makes it one order. */
export interface Order {
  readonly path: OrderPath;
  readonly body: JsonObject;
  readonly key: string;
}

/**
 * Makes an order of a tool's arguments. Without a key of the caller's it gets one made of the arguments: a call that is
 * repeated because its answer was lost has the same arguments, and so it finds the first order.
 * @throws Refusal `unsupported_field`
 */
export function orderOf(path: OrderPath, fields: JsonObject, key: string | undefined, { id }: Conversation): Order {
  if (id !== null && fields.end_user !== undefined) {
    const message = "'end_user' is not accepted here: it names the conversation, which this connection has set.";
    throw new Refusal({ code: 'unsupported_field', message, param: 'end_user' });
  }
  const body = id === null ? fields : { ...fields, end_user: id };
  return { path, body, key: key ?? `mcp-${fingerprint({ path, body })}` };
}
