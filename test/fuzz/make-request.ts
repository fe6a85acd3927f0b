import type { Random } from '../chaos/random.ts';
import type { JsonSchema } from '../helpers/json-schema.ts';
import type { OpenApiAnswer, OpenApiDocument } from '../helpers/openapi-document.ts';
import { SEPARATOR_BODIES } from '../helpers/separator-bodies.ts';
import type { DataOf } from '../helpers/service.ts';
import { anyFile, anyTask, type Holder } from './holders.ts';
import { hostileString, hostileValue, spoil, validValue } from './random-value.ts';

/** One request of the fuzzer, and the operation of our document that it is meant for. */
export interface FuzzRequest {
  readonly holder: Holder | null;
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, bytes, or nothing. */
  readonly body: string | Buffer | null;
  /** The task that must be answered, where this repeats a create. */
  readonly repeats: string | null;
}

export interface Operation {
  readonly method: string;
  /** As in the document: `/v1/images/{task_id}`. */
  readonly path: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[];
  readonly body: JsonSchema | null;
  readonly responses: Readonly<Record<string, OpenApiAnswer>>;
}

export type ModelWithSchema = DataOf<'GET', '/v1/models/{model_id}'>;

/** The sources from which requests are made. */
export interface Sources {
  readonly operations: readonly Operation[];
  /** Models with their `input_schema`. */
  readonly models: readonly ModelWithSchema[];
  readonly holders: readonly Holder[];
  readonly picture: Buffer;
}

/**
 * Requests that would end the run rather than test it: the operator's switches, and streams, which have tests of their
 * own.
 */
const LEFT_OUT = /\/(pause|resume|reload|close|revoke|rotate)$|\/events$|^\/metrics|^\/readyz/;
const LONGEST_OF_SEPARATORS = 2_000_000;
const OUTCOMES = ['succeeded', 'content_policy', 'upstream_error', 'timeout', 'outcome_unknown', 'stuck', 'late'];
const CREATES = ['/v1/images', '/v1/videos', '/v1/images/actions'];

export function operationsOf(document: OpenApiDocument): Operation[] {
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    if (LEFT_OUT.test(path)) continue;
    for (const [method, { parameters = [], requestBody, responses }] of Object.entries(methods)) {
      const body = requestBody?.content['application/json']?.schema ?? null;
      operations.push({ method: method.toUpperCase(), path, parameters, body, responses });
    }
  }
  return operations;
}

/**
 * The next request of a run: an order of some model, a repetition, or any operation at all; valid, nearly valid, or
 * hostile.
 */
export function makeRequest(sources: Sources, random: Random): FuzzRequest {
  const holder = random.pick(sources.holders);
  const kind = random.next();
  if (kind < 0.35 && holder.mode !== 'admin') return makeOrder(sources, holder, random);
  if (kind < 0.42 && holder.repeatable.length > 0) return repeat(sources, holder, random);
  if (kind < 0.47 && holder.mode !== 'admin') return upload(sources, holder, random);
  if (kind < 0.48 && holder.mode !== 'admin') return separators(sources, holder, random);
  return makeAny(sources, random.chance(0.95) ? holder : null, random);
}

function makeOrder(sources: Sources, holder: Holder, random: Random): FuzzRequest {
  const model = random.pick(sources.models);
  const isQuote = random.chance(0.3);
  const path = isQuote ? '/v1/prices' : `/v1/${model.type}s`;
  const filled = fillMedia(validValue(model.input_schema, random), sources, holder, random);
  const service = {
    model_id: model.model_id,
    prompt: `${holder.mark} a fox`,
    ...(random.chance(0.2) ? { metadata: { mark: holder.mark }, end_user: `${holder.mark}user` } : {}),
    ...(random.chance(0.1) ? { max_price: random.pick(['0.01', '5.00', 100]) } : {}),
    ...(holder.mode === 'test' && random.chance(0.9) ? { simulate: simulation(random) } : {}),
  };
  const body = { ...(filled as Record<string, unknown>), ...service };
  const sent = random.chance(0.3) ? spoil(body, random) : body;
  const headers: Record<string, string> = {
    ...(random.chance(0.4) ? { 'idempotency-key': `fuzz-${Math.floor(random.next() * 1e9)}` } : {}),
    ...(random.chance(0.1) ? { prefer: 'wait=1' } : {}),
  };
  return {
    holder,
    operation: operationAt(sources, 'POST', path),
    path,
    headers,
    body: JSON.stringify(sent),
    repeats: null,
  };
}

function simulation(random: Random) {
  return { seconds: random.pick([0, 0, 0.2, 1]), outcome: random.pick(OUTCOMES) };
}

/** Media fields name what is there, most of the time. */
function fillMedia(value: unknown, sources: Sources, holder: Holder, random: Random, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => fillMedia(item, sources, holder, random, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillMedia(item, sources, holder, random, key)]),
    );
  if (typeof value !== 'string' || !/_urls?$/.test(name)) return value;
  return random.pick([
    `upload:${anyFile(holder, sources.holders, random)}`,
    `task:${anyTask(holder, sources.holders, random)}`,
    `data:image/png;base64,${sources.picture.toString('base64')}`,
    hostileString(random),
  ]);
}

function repeat(sources: Sources, holder: Holder, random: Random): FuzzRequest {
  const { path, body, key, taskId } = random.pick(holder.repeatable);
  const operation = operationAt(sources, 'POST', path);
  return { holder, operation, path, headers: { 'idempotency-key': key }, body, repeats: taskId };
}

function upload(sources: Sources, holder: Holder, random: Random): FuzzRequest {
  const whole = random.chance(0.6);
  const body = whole ? sources.picture : sources.picture.subarray(0, random.between(0, sources.picture.length));
  const headers = { 'content-type': random.pick(['image/png', 'video/mp4', 'application/octet-stream']) };
  return {
    holder,
    operation: operationAt(sources, 'POST', '/v1/files'),
    path: '/v1/files',
    headers,
    body,
    repeats: null,
  };
}

/** Nothing but separators: the processor time that they take is checked. */
function separators(sources: Sources, holder: Holder, random: Random): FuzzRequest {
  const known = SEPARATOR_BODIES.filter((body) => sources.operations.some(({ path }) => path === body.path));
  const { path, contentType, make } = random.pick(known);
  return {
    holder,
    operation: operationAt(sources, 'POST', path),
    path,
    headers: { 'content-type': contentType },
    body: make(random.between(1_000, LONGEST_OF_SEPARATORS)),
    repeats: null,
  };
}

/** Any operation, by its document: parameters and body each valid, nearly valid, or hostile. */
function makeAny(sources: Sources, holder: Holder | null, random: Random): FuzzRequest {
  const operation = random.pick(sources.operations);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pathValue(name, sources, holder, random)),
  );
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path' || !random.chance(0.25)) continue;
    const value = random.chance(0.8) ? validValue(parameter.schema, random) : hostileValue(random);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (parameter.in === 'query') query.set(parameter.name, text.slice(0, 2_000));
    else headers[parameter.name] = text.replaceAll(/[^ -~]/g, '?').slice(0, 1_000);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  return { holder, operation, path: path + search, headers, body: bodyOf(operation, random), repeats: null };
}

function pathValue(name: string, sources: Sources, holder: Holder | null, random: Random): string {
  if (random.chance(0.1)) return hostileString(random).slice(0, 300).toWellFormed() || 'x';
  const owner = holder ?? random.pick(sources.holders);
  if (name === 'task_id') return anyTask(owner, sources.holders, random);
  if (name === 'file_id') return anyFile(owner, sources.holders, random);
  if (name === 'model_id') return random.pick(sources.models).model_id;
  return random.pick(['default', 'nothing', 'key_0', 'sketch']);
}

function bodyOf(operation: Operation, random: Random): string | null {
  if (operation.body === null) return random.chance(0.1) ? JSON.stringify(hostileValue(random)) : null;
  const valid = validValue(operation.body, random);
  const isObject = typeof valid === 'object' && valid !== null && !Array.isArray(valid);
  const spoiled = random.chance(0.4) && isObject ? spoil(valid as Record<string, unknown>, random) : valid;
  const text = JSON.stringify(spoiled) ?? '';
  return random.chance(0.05) ? text.slice(0, random.between(0, text.length)) : text;
}

function operationAt({ operations }: Sources, method: string, path: string): Operation {
  const operation = operations.find((each) => each.method === method && each.path === path);
  if (operation === undefined) throw new Error(`The document has no ${method} ${path}.`);
  return operation;
}

export function isCreate(request: FuzzRequest): boolean {
  return request.operation.method === 'POST' && CREATES.includes(request.operation.path);
}
