import { isJsonObject, type JsonObject } from '@darkroom-service/contract';

/** An operation of a service, as its OpenAPI document describes it. */
export interface Operation {
  /** The name of its command, such as `admin-credit-account`. */
  readonly name: string;
  /** The section that it stands in, such as `Images`. */
  readonly group: string;
  readonly method: string;
  /** With the names of its arguments in braces, such as `/v1/images/{task_id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Parameters of path and query, and the fields of a JSON body. */
  readonly inputs: readonly Input[];
  /** The type of the body: JSON, which fields give, or a file's content; null = none. */
  readonly body: { readonly type: string; readonly isFile: boolean } | null;
  /** Whether repeats are recognised by an `Idempotency-Key`. */
  readonly isRepeatable: boolean;
  /** Whether it answers a file rather than JSON. */
  readonly answersFile: boolean;
  /** Whether it answers a task, whose end can be awaited. */
  readonly answersTask: boolean;
}

/** A value that an operation takes. */
export interface Input {
  /** As the interface writes it, such as `credit_limit`. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly description: string;
  /** The JSON types that it may have, such as `['string', 'null']`. */
  readonly types: readonly string[];
  /** The only values that it may have; empty = others, too. */
  readonly choices: readonly string[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';

/**
 * Reads the operations of an OpenAPI document, in its order. Streams of events are left out: `darkroom listen` and
 * `darkroom tasks wait` follow them.
 */
export function readOperations(document: JsonObject): Operation[] {
  const read = readerOf(document);
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries(read(document.paths))) {
    for (const method of METHODS) {
      const described = read(read(methods)[method]);
      if (typeof described.operationId !== 'string') continue;
      const operation = readOperation({ method, path, described, read });
      if (operation !== null) operations.push(operation);
    }
  }
  return operations;
}

/** Returns a value as an object, a reference as what it leads to; empty if it is none. */
type Reader = (value: unknown) => JsonObject;

function readerOf(document: JsonObject): Reader {
  return function read(value) {
    if (!isJsonObject(value)) return {};
    if (typeof value.$ref !== 'string') return value;
    const steps = value.$ref.split('/').slice(1);
    return read(steps.reduce<unknown>((at, step) => (isJsonObject(at) ? at[step] : undefined), document));
  };
}

function readOperation({
  method,
  path,
  described,
  read,
}: {
  readonly method: string;
  readonly path: string;
  readonly described: JsonObject;
  readonly read: Reader;
}): Operation | null {
  const answers = Object.entries(read(described.responses)).filter(([status]) => status.startsWith('2'));
  const answerTypes = answers.flatMap(([, answer]) => Object.keys(read(read(answer).content)));
  if (answerTypes.length > 0 && answerTypes.every((type) => type === STREAM)) return null;
  const parameters = (Array.isArray(described.parameters) ? described.parameters : []).map(read);
  const content = read(read(described.requestBody).content);
  const [type] = Object.keys(content).sort((one, other) => Number(other === JSON_TYPE) - Number(one === JSON_TYPE));
  const isFile = type !== undefined && type !== JSON_TYPE;
  const named = parameters.flatMap((parameter) => readParameter(parameter, read));
  const fields = type === undefined || isFile ? [] : readFields(read(read(content[type]).schema), read);
  return {
    name: commandName(String(described.operationId)),
    group: Array.isArray(described.tags) ? String(described.tags[0]) : 'Other',
    method: method.toUpperCase(),
    path,
    summary: textOf(described.summary),
    description: textOf(described.description),
    // What a body of another type would take from the query is a field of JSON.
    inputs: [...named.filter(({ name }) => !fields.some((field) => field.name === name)), ...fields],
    body: type === undefined ? null : { type, isFile },
    isRepeatable: parameters.some(({ name }) => name === 'Idempotency-Key'),
    answersFile: answerTypes.length > 0 && !answerTypes.includes(JSON_TYPE),
    answersTask: answers.some(([, answer]) => isTask(read(read(read(read(answer).content)[JSON_TYPE]).schema), read)),
  };
}

/** Tells whether the data of an answer is a task, or one of several things that it may be. */
function isTask(envelope: JsonObject, read: Reader): boolean {
  const { data } = read(envelope.properties);
  const forms = isJsonObject(data) ? [data, data.anyOf].flat().filter(isJsonObject) : [];
  return forms.some(({ $ref }) => $ref === '#/components/schemas/Task');
}

function readParameter(parameter: JsonObject, read: Reader): Input[] {
  const { name, in: place } = parameter;
  if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return [];
  const schema = read(parameter.schema);
  return [{ name, place, required: parameter.required === true, ...describeValue(schema, parameter, read) }];
}

function readFields(schema: JsonObject, read: Reader): Input[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(read(schema.properties)).map(([name, value]) => {
    const field = read(value);
    return { name, place: 'body', required: required.includes(name), ...describeValue(field, field, read) };
  });
}

function describeValue(
  schema: JsonObject,
  { description }: JsonObject,
  read: Reader,
): Pick<Input, 'types' | 'choices' | 'description'> {
  const forms = [schema, ...[schema.anyOf, schema.oneOf].flat().filter(isJsonObject).map(read)];
  return {
    types: [...new Set(forms.flatMap(({ type }) => type ?? []).map(String))],
    choices: forms.flatMap((form) => (Array.isArray(form.enum) ? form.enum.map(String) : [])),
    description: textOf(description),
  };
}

/** Returns `admin-credit-account` for `adminCreditAccount`. */
function commandName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
