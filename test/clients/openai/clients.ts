import { Buffer } from 'node:buffer';
import OpenAI, { APIError, toFile } from 'openai';
import ownPackage from '../../../package.json' with { type: 'json' };
import { OPENAI_PACKAGE, OPENAI_PACKAGES, openPython, type Printed } from '../python.ts';
import { startPythonProgram } from '../python-program.ts';

/** The outcome of a call of a published client. */
export interface Outcome {
  /** What the method returned, as plain JSON; the bytes of a file as `{ bytes }` in base64. */
  readonly value?: Printed;
  readonly error?: { readonly status: number | null; readonly code: string | null; readonly message: string };
}

export interface CallOptions {
  readonly maxRetries?: number;
  /** Seconds. */
  readonly timeout?: number;
}

/** One call: the method as its client has it for Node, such as `chat.completions.create`, and its arguments. */
export type Order = readonly [method: string, ...args: unknown[]];

/** A published client, driven in the same way whatever its language. */
export interface PublishedClient {
  readonly name: string;
  readonly call: (baseUrl: string, key: string, order: Order, options?: CallOptions) => Promise<Outcome>;
}

/** A file among the arguments. */
export interface FileArgument {
  readonly $file: { readonly name: string; readonly type: string; readonly base64: string };
}

export const openaiForNode: PublishedClient = {
  name: `openai ${ownPackage.devDependencies.openai} for Node`,
  async call(baseUrl, key, [method, ...args], { maxRetries = 2, timeout = 600 } = {}) {
    const client = new OpenAI({ apiKey: key, baseURL: `${baseUrl}/openai/v1`, maxRetries, timeout: timeout * 1000 });
    const names = method.split('.');
    const last = names.pop() ?? '';
    const resource = names.reduce((part: Printed, name) => part[name], client);
    try {
      const value = await resource[last](...(await Promise.all(args.map(withFiles))));
      return { value: await plain(value) };
    } catch (error) {
      // The body of an answer is read after the client's own error handling.
      if (!(error instanceof APIError)) return { error: { status: null, code: null, message: String(error) } };
      const { status, code, message } = error;
      return { error: { status: status ?? null, code: code ?? null, message } };
    }
  },
};

let program: Promise<ReturnType<typeof startPythonProgram>> | null = null;

export const openaiForPython: PublishedClient = {
  name: `${OPENAI_PACKAGE.replace('==', ' ')} for Python`,
  async call(baseUrl, key, [method, ...args], { maxRetries = 2, timeout = 600 } = {}) {
    program ??= openPython(OPENAI_PACKAGES).then((python) => startPythonProgram(python, PYTHON_CALL));
    const snake = method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const input = { baseUrl: `${baseUrl}/openai/v1`, key, method: snake, args, maxRetries, timeout };
    return await (await program)(input);
  },
};

/** Positional arguments are ids; the last one, an object, holds those with names. */
const PYTHON_CALL = `
import base64
import operator
import openai

def with_files(value):
    if isinstance(value, list):
        return [with_files(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$file" in value:
        file = value["$file"]
        return (file["name"], base64.b64decode(file["base64"]), file["type"])
    return {name: with_files(one) for name, one in value.items()}

def plain(value):
    if hasattr(value, "read"):
        return {"bytes": base64.b64encode(value.read()).decode()}
    if isinstance(value, openai.Stream):
        return [event.to_dict() for event in value]
    if hasattr(value, "auto_paging_iter") or hasattr(value, "iter_pages"):
        return [one.to_dict() for one in value]
    return value.to_dict()

def answer(order):
    args = with_files(order["args"])
    named = args.pop() if args and isinstance(args[-1], dict) else {}
    options = {"max_retries": order["maxRetries"], "timeout": order["timeout"]}
    with openai.OpenAI(api_key=order["key"], base_url=order["baseUrl"], **options) as client:
        try:
            return {"value": plain(operator.attrgetter(order["method"])(client)(*args, **named))}
        except openai.APIStatusError as error:
            return {"error": {"status": error.status_code, "code": error.code, "message": error.message}}
        except openai.APIError as error:
            return {"error": {"status": None, "code": error.code, "message": error.message}}
`;

async function withFiles(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(withFiles));
  if (typeof value !== 'object' || value === null) return value;
  if ('$file' in value) {
    const { name, type, base64 } = (value as FileArgument).$file;
    return await toFile(Buffer.from(base64, 'base64'), name, { type });
  }
  const entries = await Promise.all(Object.entries(value).map(async ([name, one]) => [name, await withFiles(one)]));
  return Object.fromEntries(entries);
}

async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Response) return { bytes: Buffer.from(await value.arrayBuffer()).toString('base64') };
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
    return await Array.fromAsync(value as AsyncIterable<unknown>);
  return JSON.parse(JSON.stringify(value));
}
