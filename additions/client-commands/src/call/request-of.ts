import { readFile } from 'node:fs/promises';
import { decodeText, isJsonObject } from '@darkroom-service/contract';
import { readStandardInput, STANDARD, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import type { Input, Operation } from './operations.ts';

/** An input with what was written for it; undefined = nothing. */
export type Sent = readonly [input: Input, value: string | readonly string[] | undefined];

/** The address of a call, and what is sent to it. */
interface CallRequest {
  readonly path: string;
  readonly init: RequestInit;
}

/**
 * Makes the request of a call. Options count before the same field in `--body`.
 * @throws CommandFault if a body or an object is not JSON
 */
export async function requestOf(
  { path, body }: Operation,
  given: {
    readonly values: readonly Sent[];
    readonly body: string | undefined;
    readonly file: string | undefined;
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<CallRequest> {
  const of = (place: Input['place']) =>
    given.values.filter(([input, value]) => input.place === place && value !== undefined);
  let address = path;
  for (const [{ name }, value] of of('path')) address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
  const query = new URLSearchParams(of('query').map(([{ name }, value]) => [name, String(value)])).toString();
  const fields = of('body').map(([input, value]) => [input.name, readValue(input, value)]);
  const whole = given.body === undefined ? {} : await readBody(given.body);
  const content =
    given.file === undefined
      ? JSON.stringify({ ...whole, ...Object.fromEntries(fields) })
      : new Blob([await readInput(given.file, 'the file')]);
  return {
    path: query === '' ? address : `${address}?${query}`,
    init: {
      headers: { ...given.headers, ...(body === null ? {} : { 'content-type': typeOf(body) }) },
      ...(body === null ? {} : { body: content }),
    },
  };
}

/** A range of types such as `image/*` is no type of a body: the service looks at the bytes. */
function typeOf({ type, isFile }: NonNullable<Operation['body']>): string {
  return isFile && /[*]|^multipart/.test(type) ? 'application/octet-stream' : type;
}

/** Returns the value that the interface expects; what is not of its types goes as it is, and the service refuses it. */
function readValue(input: Input, value: string | readonly string[] | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => readItem(item));
  const text = String(value);
  const { types } = input;
  if (text === 'null' && types.includes('null')) return null;
  if (types.includes('boolean') && /^(true|false)$/.test(text)) return text === 'true';
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return types.includes('object') && /^\s*[{[]/.test(text)
    ? parseJson(text, `--${input.name.replaceAll('_', '-')}`)
    : text;
}

function readItem(item: string): unknown {
  return /^\s*\{/.test(item) ? parseJson(item, 'an item of a list') : item;
}

async function readBody(given: string): Promise<object> {
  const text = /^(@|-$)/.test(given)
    ? decodeText(await readInput(given.replace(/^@/, ''), 'the body'), '--body')
    : given;
  const body = parseJson(text, '--body');
  if (!isJsonObject(body)) throw usageFault('--body: expected a JSON object such as {"prompt":"a fox"}');
  return body;
}

async function readInput(path: string, what: string): Promise<Buffer<ArrayBuffer>> {
  return Buffer.from(path === STANDARD ? await readStandardInput(what) : await readFile(path));
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageFault(`${where}: expected JSON, found '${text.slice(0, 60)}': ${(error as Error).message}`);
  }
}
