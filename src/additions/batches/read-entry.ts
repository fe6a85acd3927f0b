import { cutText, type Fault, type JsonObject, type JsonValue } from '@darkroom-service/contract';
import { describeValue } from '../../kernel-orders.ts';

const OPERATIONS = ['images', 'videos', 'actions'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** An entry of a batch as it was sent: one order, or one for each combination of `vary`. */
interface BatchEntry {
  readonly operation: Operation;
  /** Name of the entry, if `vary` has made several orders of it; null otherwise. */
  readonly variedName: string | null;
  /** Bytes of the orders that `vary` has made of it; 0 without `vary`. */
  readonly variedBytes: number;
  /** The orders of the entry, each with its name within the batch, if the entry has one. */
  readonly orders: readonly { readonly name: string | null; readonly body: JsonObject }[];
}

export const MOST_ORDERS = 10_000;
/** Maximum number of bytes of the orders that `vary` makes of one entry: a short body must not fill a database. */
const MOST_VARIED_BYTES = 16 * 1024 * 1024;
/** Minimum number of bytes that an order counts: its row takes more than a short body has. */
const LEAST_ORDER_BYTES = 1_024;
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const FIELDS = ['name', 'operation', 'body', 'vary'];

/** Reads one entry. @param faults receives all its faults; the entry is null then */
export function readEntry(sent: JsonObject, faults: Fault[]): BatchEntry | null {
  const before = faults.length;
  const invalid = (param: string, message: string) => faults.push({ param, code: 'invalid_request', message });
  for (const field of Object.keys(sent)) {
    if (FIELDS.includes(field)) continue;
    const message = `An order of a batch does not accept '${cutText(field, 60)}'. Accepted fields: ${FIELDS.join(', ')}.`;
    faults.push({ param: field.slice(0, 60), code: 'unsupported_field', message });
  }
  const operation = OPERATIONS.find((known) => known === sent.operation);
  if (operation === undefined)
    invalid(
      'operation',
      `operation: expected one of ${OPERATIONS.join(', ')}, found ${describeValue(sent.operation)}.`,
    );
  const name = sent.name ?? null;
  if (name !== null && (typeof name !== 'string' || !NAME.test(name)))
    invalid('name', `name: expected 1 to 64 letters, digits, '.', '_' or '-', found ${describeValue(name)}.`);
  const body = asObject(sent.body);
  if (body === null) invalid('body', `body: expected an object, found ${describeValue(sent.body)}.`);
  const vary = sent.vary === undefined || sent.vary === null ? {} : asObject(sent.vary);
  if (vary === null) invalid('vary', `vary: expected an object of arrays, found ${describeValue(sent.vary)}.`);
  const combinations = vary === null || body === null ? null : combine(vary, body, invalid);
  if (faults.length > before || operation === undefined || body === null || combinations === null) return null;
  const isVaried = sent.vary !== undefined && sent.vary !== null;
  const orderBytes = isVaried ? Math.max(LEAST_ORDER_BYTES, Buffer.byteLength(JSON.stringify(body))) : 0;
  const variedBytes = orderBytes * combinations.length;
  if (variedBytes > MOST_VARIED_BYTES) {
    const found = `found ${combinations.length} orders of ${orderBytes} bytes. Shorten the body, or use several entries`;
    invalid('vary', `vary: expected at most ${MOST_VARIED_BYTES} bytes of orders, ${found}.`);
    return null;
  }
  return {
    operation,
    variedBytes,
    variedName: isVaried && typeof name === 'string' ? name : null,
    orders: combinations.map((values, index) => ({
      name: typeof name !== 'string' ? null : isVaried ? `${name}-${index + 1}` : name,
      body: isVaried ? { ...body, ...values } : body,
    })),
  };
}

/** Returns all combinations of the values, the last field changing fastest. */
function combine(
  vary: JsonObject,
  body: JsonObject,
  invalid: (param: string, message: string) => void,
): JsonObject[] | null {
  let combinations: JsonObject[] = [{}];
  for (const [field, values] of Object.entries(vary)) {
    const param = `vary.${cutText(field, 60)}`;
    if (!Array.isArray(values) || values.length === 0) {
      invalid(param, `${param}: expected an array of at least one value, found ${describeValue(values)}.`);
      return null;
    }
    if (field in body) {
      invalid(param, `${param}: '${cutText(field, 60)}' is in body too. Send it in one of them.`);
      return null;
    }
    if (combinations.length * values.length > MOST_ORDERS) {
      invalid('vary', `vary: expected at most ${MOST_ORDERS} combinations, found more.`);
      return null;
    }
    combinations = combinations.flatMap((one) => values.map((value: JsonValue) => ({ ...one, [field]: value })));
  }
  return combinations;
}

function asObject(value: JsonValue | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
