import { abortError, connectionError, factsAfter, type KnownCall, unknownOrder } from './call-errors.ts';
import { ApiError } from './errors.ts';
import { backOff, type LinkedSignal, linkSignal, pause } from './pause.ts';
import { dataOf, errorOf, LostAnswer } from './response.ts';

/** An API key or a client token, or a function that returns the current one. It is called before each request. */
export type ApiKey = string | (() => string | Promise<string>);

export interface TransportOptions {
  readonly baseUrl: string;
  readonly apiKey: ApiKey | null;
  readonly fetch: typeof fetch;
  readonly retries: number;
  readonly responseTimeoutMs: number;
}

/** Options that every call accepts. */
export interface CallOptions {
  /** Ends the call. An order that was accepted continues. */
  readonly signal?: AbortSignal | undefined;
  /** How often a request is repeated, if the service says `retryable` or its answer was lost. */
  readonly retries?: number | undefined;
  /** How long to wait for one response, in milliseconds. */
  readonly responseTimeoutMs?: number | undefined;
}

export interface Call extends CallOptions, KnownCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: object | undefined;
  readonly json?: unknown;
  /** A body that is not JSON. */
  readonly body?: Blob | ReadableStream;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** False: the request is sent once, because its body cannot be read again or a repetition would act twice. */
  readonly repeatable?: boolean;
  /** Called when an answer was lost: the service may have done what the request asked for. */
  readonly onLostAnswer?: () => void;
}

export interface Answer<T> {
  readonly data: T;
  readonly headers: Headers;
}

export interface OpenResponse {
  readonly response: Response;
  /** Ends the reading of the body; must be released after it. */
  readonly link: LinkedSignal;
}

/** Sends requests, and repeats those that may be repeated. */
export interface Transport {
  readonly baseUrl: string;
  /** Returns the `data` of a response. @throws DarkroomError */
  send<T>(call: Call): Promise<Answer<T>>;
  /** Returns a successful response whose body is not read yet. @throws DarkroomError */
  open(call: Call): Promise<OpenResponse>;
}

/** A longer wait is left to the caller: the error says when to try again. */
const MAX_RETRY_AFTER_SECONDS = 60;

export function createTransport(options: TransportOptions): Transport {
  return {
    baseUrl: options.baseUrl,
    send: <T>(call: Call) =>
      repeat(options, call, async (attempt) => {
        const response = await request(options, call, attempt);
        const data = await dataOf<T>(response);
        attempt.link.release();
        return { data, headers: response.headers };
      }),
    open: (call) =>
      repeat(options, call, async (attempt) => {
        const response = await request(options, call, attempt);
        attempt.link.limit(null);
        return { response, link: attempt.link };
      }),
  };
}

interface Attempt {
  readonly link: LinkedSignal;
  readonly body: string | Blob | ReadableStream | null;
  /** An earlier attempt of this call may have been accepted, because its answer was lost. */
  readonly mayBeOrdered: boolean;
}

async function repeat<T>(options: TransportOptions, call: Call, run: (attempt: Attempt) => Promise<T>): Promise<T> {
  const { signal, repeatable = true, responseTimeoutMs: timeoutMs = options.responseTimeoutMs } = call;
  const retries = repeatable ? (call.retries ?? options.retries) : 0;
  // Every attempt sends the same bytes, whatever the caller does to the object meanwhile.
  const body = call.json === undefined ? (call.body ?? null) : JSON.stringify(call.json);
  let mayBeOrdered = false;
  for (let count = 0; ; count++) {
    const known = () => (mayBeOrdered ? unknownOrder(call) : call.facts);
    if (isAborted(signal)) throw abortError(signal, known());
    const link = linkSignal(signal);
    link.limit(timeoutMs, () => new LostAnswer(`no response within ${timeoutMs / 1000} s`));
    try {
      return await run({ link, body, mayBeOrdered });
    } catch (thrown) {
      link.release();
      if (isAborted(signal)) throw abortError(signal, unknownOrder(call));
      const error = link.signal.aborted ? link.signal.reason : thrown;
      const isLost = error instanceof LostAnswer;
      if (!isLost && !(error instanceof ApiError && error.retryable)) throw error;
      if (isLost && !error.neverSent) {
        mayBeOrdered = true;
        call.onLostAnswer?.();
      }
      const seconds = error.retryAfterSeconds;
      if (count >= retries || (seconds ?? 0) > MAX_RETRY_AFTER_SECONDS)
        throw isLost ? connectionError(options.baseUrl, call, error, count + 1, mayBeOrdered) : error;
      await pause(seconds === null ? backOff(count) : seconds * 1000 + backOff(0) / 4, signal).catch(() => {
        throw abortError(signal, known());
      });
    }
  }
}

async function request(
  options: TransportOptions,
  call: Call,
  { link, body, mayBeOrdered }: Attempt,
): Promise<Response> {
  const { method = 'GET', json, headers } = call;
  const apiKey = typeof options.apiKey === 'function' ? await options.apiKey() : options.apiKey;
  const init = {
    method,
    body,
    signal: link.signal,
    // A redirected POST would become a GET.
    redirect: method === 'GET' ? 'follow' : 'manual',
    headers: {
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit;
  const response = await options.fetch(urlOf(options.baseUrl, call), init).catch((error: unknown) => {
    throw new LostAnswer(reasonOf(error), error);
  });
  if (response.ok) return response;
  throw await errorOf(response, (status, code) => factsAfter(call, mayBeOrdered, status, code));
}

function urlOf(baseUrl: string, { path, query = {} }: Call): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]);
  return `${baseUrl}${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

/** Read anew each time: a compiler takes a property that was false for false ever after. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function reasonOf(error: unknown): string {
  const cause = (error as { cause?: { message?: string; code?: string } }).cause;
  const reason = cause?.message || cause?.code || (error instanceof Error ? error.message : String(error));
  return reason.replace(/\.$/, '');
}
