import { ERROR_TABLE, type ErrorCode } from '@darkroom-service/contract';
import { LONGEST } from '@darkroom-service/contract/parts';
import { eachInSlices } from '../../base/map-in-slices.ts';
import type { HttpAddition } from '../http-options.ts';
import { OPERATIONS } from './core-operations.ts';
import { ANSWER_EXAMPLES, BODY_EXAMPLES } from './examples.ts';
import { bodilessOf, HEADERS, headersOf } from './headers.ts';
import { type Operation, WITH_BODY, WITH_KEY } from './operation.ts';
import { callbacksOf, WEBHOOKS } from './webhooks-section.ts';

interface Media {
  schema?: Schema;
  examples?: object;
  /** Schema of each event; OpenAPI 3.2 will call it `itemSchema`. */
  'x-itemSchema'?: Schema;
}
type Schema = Record<string, unknown>;

interface Answer {
  $ref?: string;
  description?: string;
  headers?: object;
  content?: Record<string, Media>;
}

interface Described {
  operationId?: string;
  summary?: string;
  description?: string;
  security?: readonly unknown[];
  parameters?: { in: string; name: string; description?: string; example?: unknown; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
  callbacks?: object;
}

interface Document {
  paths?: Record<string, Record<string, Described>>;
  components?: { schemas?: Record<string, Schema>; headers?: object; responses?: object };
  webhooks?: object;
}

/**
 * Adds to a document made from the routes what the routes do not have: names, texts, failures by code, headers,
 * examples and webhooks. Lets other work run meanwhile.
 * @param additions with operations of their own
 */
export async function completeDocument(
  document: object,
  additions: readonly Pick<HttpAddition, 'operations' | 'behind'>[],
): Promise<void> {
  const listed = Object.assign({ ...OPERATIONS }, ...additions.map(({ operations }) => operations));
  const { components = {} } = document as Document;
  const paths = inOrder((document as Document).paths ?? {}, additions);
  Object.assign(document, { paths });
  const schemas = components.schemas ?? {};
  const failures = new SharedFailures();
  await eachInSlices(Object.entries(paths), ([path, operations]) => {
    for (const [method, described] of Object.entries(operations)) {
      const operation = listed[`${method.toUpperCase()} ${path}`];
      if (operation === undefined) throw new Error(`${method.toUpperCase()} ${path} is not in the list of operations`);
      completeOperation(described, operation, { method, path }, { schemas, failures });
    }
  });
  for (const [name, example] of Object.entries(ANSWER_EXAMPLES)) {
    const schema = schemas[name];
    if (schema !== undefined) schema.examples = [example];
  }
  Object.assign(components, { headers: HEADERS, responses: failures.all });
  Object.assign(document, { webhooks: WEBHOOKS });
}

/** Moves the paths of additions to the positions that these request. */
function inOrder<T>(
  paths: Readonly<Record<string, T>>,
  additions: readonly Pick<HttpAddition, 'operations' | 'behind'>[],
): Record<string, T> {
  let order = Object.keys(paths);
  for (const { operations = {}, behind = [] } of additions) {
    const own = new Set(Object.keys(operations).map((operation) => operation.replace(/^\w+ /, '')));
    for (const place of behind) {
      const later = order.slice(order.indexOf(place) + 1);
      const moved = later.filter((path) => own.has(path) && placeOf(path, behind) === place);
      order = order.filter((path) => !moved.includes(path));
      order.splice(order.indexOf(place) + 1, 0, ...moved);
    }
  }
  return Object.fromEntries(order.flatMap((path) => (paths[path] === undefined ? [] : [[path, paths[path]]])));
}

/**
 * Returns the place whose path has the longest common prefix with that of an operation, of at least the first segment.
 */
function placeOf(path: string, places: readonly string[]): string | undefined {
  const alike = (place: string) => {
    const steps = place.split('/');
    return [...path.split('/'), null].findIndex((step, at) => steps[at] !== step);
  };
  return places.filter((place) => alike(place) > 1).toSorted((one, other) => alike(other) - alike(one))[0];
}

function completeOperation(
  described: Described,
  operation: Operation,
  { method, path }: { readonly method: string; readonly path: string },
  { schemas, failures }: { readonly schemas: Record<string, Schema>; readonly failures: SharedFailures },
): void {
  described.operationId = operation.id;
  described.summary = operation.summary;
  described.description = operation.description;
  for (const parameter of described.parameters ?? []) {
    const { schema } = parameter;
    if (parameter.in === 'header') parameter.name = writtenName(parameter.name);
    if (parameter.in === 'path') {
      parameter.description ??= PATH_PARAMETERS[parameter.name] ?? '';
      if (schema.type === 'string') schema.maxLength ??= LONGEST.pathPart;
    }
    // Test generators cannot invent a value for every pattern.
    if (Array.isArray(schema.examples)) parameter.example = schema.examples[0];
  }
  const { requestBody: body } = described;
  // Also an operation that needs no body takes an empty object.
  const takesJson = method !== 'get' && (body === undefined || 'application/json' in body.content);
  if (body !== undefined) completeBody(body, operation, schemas);
  const callbacks = callbacksOf(operation.id);
  if (callbacks !== null) described.callbacks = callbacks;
  const needsKey = described.security === undefined;
  const limited = path.startsWith('/v1/') && needsKey;
  const repeatable = (described.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  const { responses } = described;
  for (const [status, description] of Object.entries(bodilessOf(operation.id))) responses[status] = { description };
  for (const { content = {} } of Object.values(responses)) describeEvents(content);
  for (const [status, answer] of Object.entries(responses))
    answer.headers = headersOf(operation.id, status, { limited: limited && status !== 'default', repeatable });
  const codes: readonly ErrorCode[] = [
    ...(needsKey ? WITH_KEY : []),
    ...(needsKey && takesJson ? WITH_BODY : []),
    ...(operation.errors ?? []),
    ...(repeatable ? (['idempotency_key_reused'] as const) : []),
  ];
  const statuses = Map.groupBy(codes, (code) => String(ERROR_TABLE[code].status));
  for (const [status, ofStatus] of statuses) {
    const headers = headersOf(operation.id, status, { limited: limited && status !== '401', repeatable });
    responses[status] = failures.refTo(`${operation.id}-${status}`, { ...failureOf(ofStatus), headers });
  }
  if (responses.default !== undefined) responses.default = failures.refTo('Failure', responses.default);
}

/** Returns a header as the guide writes it. Node.js reads it in lower case, and so do the routes. */
function writtenName(header: string): string {
  return header.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace(/-Id$/, '-ID');
}

/** Makes the schema of a stream describe its events instead of the stream. */
function describeEvents(content: Record<string, Media>): void {
  const stream = content['text/event-stream'];
  if (stream?.schema === undefined) return;
  stream['x-itemSchema'] = stream.schema;
  delete stream.schema;
}

/** Failures of all operations; equal ones are written once. */
class SharedFailures {
  readonly all: Record<string, Answer> = {};
  readonly #names = new Map<string, string>();

  /** @param name used if no operation before has the same failure */
  refTo(name: string, answer: Answer): Answer {
    const text = JSON.stringify(answer);
    const known = this.#names.get(text) ?? name;
    this.#names.set(text, known);
    this.all[known] = answer;
    return { $ref: `#/components/responses/${known}` };
  }
}

function failureOf(codes: readonly ErrorCode[]): Answer {
  const lines = [...new Set(codes)].map((code) => `- \`${code}\`: ${ERROR_TABLE[code].summary}`);
  return {
    description: lines.join('\n'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/**
 * Completes the body of an operation. A titled body becomes a component, so that generated clients have a type of that
 * name.
 */
function completeBody(
  body: NonNullable<Described['requestBody']>,
  { id, examples = BODY_EXAMPLES[id] }: Operation,
  schemas: Record<string, Schema>,
): void {
  const json = body.content['application/json'];
  if (id === 'uploadFile') body.content = UPLOAD_CONTENT;
  if (json?.schema === undefined) return;
  const { 'x-optional': optional, 'x-judged-by': _judge, title, ...schema } = json.schema;
  if (optional === true) body.required = false;
  if (typeof title === 'string') {
    schemas[title] = { title, ...schema };
    json.schema = { $ref: `#/components/schemas/${title}` };
  } else json.schema = schema;
  if (examples !== undefined) json.examples = examples;
}

const BINARY = { schema: { type: 'string', format: 'binary' } };
const UPLOAD_CONTENT = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: { file: { type: 'string', format: 'binary', description: 'The only part of the body.' } },
      required: ['file'],
      additionalProperties: false,
    },
  },
  'application/octet-stream': BINARY,
  'image/*': BINARY,
  'video/*': BINARY,
  'audio/*': BINARY,
};

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  task_id: 'The id of a task of your key.',
  batch_id: 'The id of a batch of your key.',
  model_id: 'The id of a model, or an alias of it.',
  file_id: 'The id of a file of your key.',
  delivery_id: 'The id of a webhook delivery.',
  account_id: 'The id of an account.',
  key_id: 'The id of an API key, not its secret.',
  name: 'The name of an engine or the id of a model.',
  id: 'The reconciliation_id of an entry.',
  file: 'The storage key of the file, as the signed URL contains it.',
};
