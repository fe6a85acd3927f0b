import type { Readable } from 'node:stream';
import {
  cutText,
  errorFromFaults,
  type Fault,
  type JsonObject,
  type JsonValue,
  ServiceError,
  sleep,
} from '@darkroom-service/contract';
import { LONG_STEP, Steps } from '@darkroom-service/media';
import type { FastifyRequest } from 'fastify';
import type { Kernel, OrderingKey, ServingKernel } from '../../kernel.ts';
import { ArrayCutter, createLineCutter } from './cut-orders.ts';
import type { BatchDraft } from './draft-batch.ts';
import type { BatchFields } from './place-batch.ts';
import { MOST_ORDERS } from './read-entry.ts';

/** Body of a batch while it arrives, as its parser passes it on. */
export interface ArrivingBatch {
  readonly payload: Readable;
  readonly hasLines: boolean;
}

/** Fields beside the orders, of a body that has orders only. */
type QueryFields = { readonly [Field in (typeof FIELDS)[number]]?: string } & {
  /**
   * Speed of orders without one of their own. It is in the query, since orders are judged before the body has ended.
   */
  readonly speed?: string;
};

const MOST_BYTES = 64 * 1024 * 1024;
/** Maximum length of the fields beside the orders, in bytes: they are short. */
const REST_BYTES = 65_536;
/** Bytes that a request takes of its key's budget for bodies at first, and again whenever it has used them up. */
const STEP_BYTES = 1_048_576;
/**
 * Bytes that are cut in one go. Before the code is compiled, a whole chunk of 64 KB takes more than ten milliseconds.
 */
const PIECE_BYTES = 4_096;
const MOST_PARALLEL = 10_000;
const FIELDS = ['max_price', 'max_parallel', 'webhook_url', 'deliver_to', 'metadata'] as const;

/**
 * Reads the body of a batch and drafts its orders while it arrives, so that neither the whole text nor all its values
 * are ever in memory. Once the draft is refused, or has more orders than a batch may have, the rest is skipped.
 * @returns the other fields, as they were sent; none if the rest was skipped
 * @throws ServiceError `body_too_large`, `invalid_json`, `invalid_request`, `rate_limited`
 */
export async function readBatch(
  { accounts, http }: Pick<ServingKernel, 'accounts' | 'http'>,
  request: FastifyRequest<{ Body: ArrivingBatch | null; Querystring: QueryFields }>,
  draft: BatchDraft,
): Promise<JsonObject> {
  const { bodies } = http;
  if (request.body === null) throw bodies.empty();
  const { payload, hasLines } = request.body;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > MOST_BYTES) throw tooLarge(`has ${announced} bytes`);
  const limit = bodies.limits.bytesOutsideData;
  const cutter = hasLines ? createLineCutter(limit) : new ArrayCutter(limit, REST_BYTES);
  const owner = http.caller(request).id;
  const steps = new Steps();
  let received = 0;
  let kept = 0;
  let orders = 0;
  const isDecided = () => draft.isRefused || orders > MOST_ORDERS;
  const takeAll = async (cut: ReturnType<typeof cutter.push>) => {
    for (const { number, bytes } of cut) {
      if (isDecided()) return;
      orders++;
      await takeOrder(bodies, draft, hasLines ? `line ${number}` : `orders[${number - 1}]`, bytes, request.query.speed);
      while (kept <= draft.keptBytes) {
        bodies.keepShare(request, accounts.budgets.take(owner, 'body_bytes', STEP_BYTES));
        kept += STEP_BYTES;
      }
      if (steps.isDue(LONG_STEP)) await steps.turn();
    }
  };
  // Left open, so that a refusal can still be answered.
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    const { length } = chunk as Buffer;
    received += length;
    if (received > MOST_BYTES) throw tooLarge(`is longer than ${MOST_BYTES} bytes`);
    for (const piece of piecesOf(chunk as Buffer)) {
      if (isDecided()) break;
      await takeAll(cutter.push(piece));
      if (steps.isDue(LONG_STEP)) await steps.turn();
    }
    if (isDecided()) await sleep(bodies.pause(owner, length));
  }
  // The rest was not cut; the draft has the reason.
  if (isDecided()) return {};
  const { orders: last, rest } = cutter.end();
  await takeAll(last);
  if (hasLines) return fromQuery(request.query);
  const fields = bodies.parse(rest);
  if (fields === undefined) throw new ServiceError('invalid_json', 'The body is empty. Send a JSON object.');
  const { orders: empty, ...others } = fields;
  if (!Array.isArray(empty)) {
    const found = empty === undefined ? 'nothing' : 'another value';
    const message = `orders: expected an array of orders, found ${found}.`;
    throw new ServiceError('invalid_request', message, { param: 'orders' });
  }
  return others;
}

/** Reads the fields beside the orders. @throws ServiceError with every fault */
export async function readBatchFields(
  { groups }: Pick<Kernel, 'groups'>,
  key: OrderingKey,
  fields: JsonObject,
): Promise<BatchFields> {
  const faults: Fault[] = [];
  for (const field of Object.keys(fields)) {
    if (FIELDS.some((name) => name === field)) continue;
    const advice = field === 'speed' ? ' Send it in the query, as ?speed=batch, or with each order.' : '';
    const message = `A batch does not accept '${cutText(field, 60)}'.${advice} Accepted fields: orders, ${FIELDS.join(', ')}.`;
    faults.push({ param: field.slice(0, 60), code: 'unsupported_field', message });
  }
  const maxParallel = readMaxParallel(fields.max_parallel, faults);
  const read = await groups.readFields(key, fields, faults);
  if (faults.length > 0) throw errorFromFaults(faults);
  return { ...read, maxParallel };
}

function* piecesOf(chunk: Buffer): Generator<Buffer> {
  for (let from = 0; from < chunk.length; from += PIECE_BYTES) yield chunk.subarray(from, from + PIECE_BYTES);
}

async function takeOrder(
  bodies: ServingKernel['http']['bodies'],
  draft: BatchDraft,
  position: string,
  order: Buffer | null,
  speed: string | undefined,
): Promise<void> {
  try {
    if (order === null) {
      throw new ServiceError('body_too_large', `An order has more than ${bodies.limits.bytesOutsideData} bytes.`);
    }
    const entry = bodies.parse(order);
    if (entry === undefined) throw new ServiceError('invalid_json', 'An order is missing between two commas.');
    await draft.add(position, speed === undefined ? entry : withSpeed(entry, speed));
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    const { param, code, message } = error;
    const path = param === null ? position : `${position}.${param}`;
    draft.refuse({ param: path, code, message: `${position}: ${message}` });
  }
}

/** Sets the speed of an entry. Follow-up actions have none. */
function withSpeed(entry: JsonObject, speed: string): JsonObject {
  const { operation, body, vary } = entry;
  const isOrder = typeof body === 'object' && body !== null && !Array.isArray(body) && operation !== 'actions';
  if (!isOrder || 'speed' in body || (typeof vary === 'object' && vary !== null && 'speed' in vary)) return entry;
  return { ...entry, body: { ...body, speed } };
}

/** Converts the fields of a query to their JSON values. */
function fromQuery({
  metadata,
  deliver_to: deliverTo,
  max_parallel: parallel,
  speed: _speed,
  ...others
}: QueryFields): JsonObject {
  const number = parallel !== undefined && /^\d{1,9}$/.test(parallel) ? Number(parallel) : parallel;
  return {
    ...others,
    ...(number === undefined ? {} : { max_parallel: number }),
    ...(metadata === undefined ? {} : { metadata: parseOr(metadata) }),
    ...(deliverTo === undefined ? {} : { deliver_to: parseOr(deliverTo) }),
  };
}

function parseOr(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function readMaxParallel(value: JsonValue | undefined, faults: Fault[]): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_PARALLEL) return value;
  const found = cutText(JSON.stringify(value), 60);
  const message = `max_parallel: expected a whole number from 1 to ${MOST_PARALLEL}, found ${found}.`;
  faults.push({ param: 'max_parallel', code: 'invalid_request', message });
  return null;
}

function tooLarge(found: string): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The body ${found}; the limit of a batch is ${MOST_BYTES} bytes. Send several batches.`,
  );
}
