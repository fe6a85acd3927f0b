import { openAsBlob } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OWN_COMMAND } from '../base/own-command.ts';
import type { ClientSettings } from '../config/config.ts';
import { CommandFault, explain } from './command-fault.ts';

/** Calls a running service. Every method throws a CommandFault with the service's message. */
export interface ApiClient {
  readonly hasKey: boolean;
  get<T>(path: string, options?: CallOptions): Promise<T>;
  /** Sends a request once: it is never retried automatically, since an order may have been charged. */
  post<T>(path: string, body: object | null, options?: CallOptions): Promise<T>;
  delete<T>(path: string): Promise<T>;
  /** Returns the raw response, for files. */
  download(path: string, signal?: AbortSignal): Promise<Response>;
  /** Uploads a file. */
  upload<T>(path: string, file: string): Promise<T>;
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Retries for this many milliseconds while the service cannot be reached or is busy; for reads only. */
  readonly patienceMs?: number;
}

/** A command got no answer: it is unknown whether the service received the request. */
export class UnreachableFault extends CommandFault {
  /** Certainly nothing was sent. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean, cause: unknown) {
    super(message, { cause, document: { error: { code: 'unreachable', message } } });
    this.refused = refused;
  }
}

/** A refusal by the service, with its message. */
export class RefusedFault extends CommandFault {
  readonly status: number;

  constructor(message: string, status: number, error: object) {
    super(message, { document: { error } });
    this.status = status;
  }
}

interface ErrorShape {
  readonly code: string;
  readonly message: string;
  readonly param?: string | null;
  readonly details?: readonly object[];
}

export function createApiClient(settings: ClientSettings): ApiClient {
  const authorization: Record<string, string> =
    settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` };

  async function send(method: string, path: string, init: RequestInit): Promise<Response> {
    const url = settings.url + path;
    let response: Response;
    try {
      response = await fetch(url, { ...init, method, headers: { ...authorization, ...headersOf(init) } });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw unreachable(settings.url, error);
    }
    if (response.ok) return response;
    throw await refusal(response, settings);
  }

  async function data<T>(response: Response): Promise<T> {
    const body = await readJson(response);
    if (body === null || !('data' in body)) throw notOurs(response.url);
    return body.data as T;
  }

  async function get<T>(path: string, options: CallOptions = {}): Promise<T> {
    const end = Date.now() + (options.patienceMs ?? 0);
    for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      try {
        return await data<T>(await send('GET', path, callInit(options)));
      } catch (error) {
        if (!isRetryable(error) || Date.now() + pauseMs > end) throw error;
        await sleep(pauseMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
      }
    }
  }

  return {
    hasKey: settings.apiKey !== null,
    get,
    post: async <T>(path: string, body: object | null, options: CallOptions = {}) => {
      const init = callInit(options);
      if (body !== null) {
        init.body = JSON.stringify(body);
        init.headers = { ...headersOf(init), 'content-type': 'application/json' };
      }
      return await data<T>(await send('POST', path, init));
    },
    delete: async <T>(path: string) => await data<T>(await send('DELETE', path, {})),
    download: (path, signal) => send('GET', path, signal === undefined ? {} : { signal }),
    upload: async <T>(path: string, file: string) =>
      await data<T>(
        await send('POST', path, {
          body: await openAsBlob(file),
          headers: { 'content-type': 'application/octet-stream' },
        }),
      ),
  };
}

function callInit(options: CallOptions): RequestInit {
  return {
    ...(options.headers === undefined ? {} : { headers: { ...options.headers } }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

function headersOf(init: RequestInit): Record<string, string> {
  return (init.headers ?? {}) as Record<string, string>;
}

function isRetryable(error: unknown): boolean {
  return error instanceof UnreachableFault || (error instanceof RefusedFault && [429, 503].includes(error.status));
}

function unreachable(url: string, error: unknown): UnreachableFault {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  if (cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOTFOUND') {
    return new UnreachableFault(
      `Nothing answers at ${url}. Is the service running? Start it with: npm start. If it runs elsewhere, set DARKROOM_URL.`,
      true,
      error,
    );
  }
  return new UnreachableFault(`The connection to ${url} broke: ${cause?.message || String(error)}`, false, error);
}

async function refusal(response: Response, settings: ClientSettings): Promise<CommandFault> {
  const body = (await readJson(response)) as { readonly error?: object } | null;
  const error = body?.error;
  if (error === undefined || !isErrorShape(error)) return notOurs(response.url);
  const text = explain(error);
  const hint = response.status === 401 ? `\n${keyHint(settings)}` : '';
  return new RefusedFault(`${text} (${error.code})${hint}`, response.status, error);
}

function isErrorShape(error: object): error is ErrorShape {
  return 'code' in error && 'message' in error;
}

function keyHint(settings: ClientSettings): string {
  const command = `export DARKROOM_API_KEY=$(${OWN_COMMAND} keys create --mode test --plain)`;
  return settings.apiKey === null
    ? `DARKROOM_API_KEY is not set. A key for trying things out: ${command}`
    : `DARKROOM_API_KEY holds a key that ${settings.url} does not take. A new one: ${command}`;
}

function notOurs(url: string): CommandFault {
  return new CommandFault(`${url} did not answer as Darkroom does. Does DARKROOM_URL point to the service?`);
}

async function readJson(response: Response): Promise<object | null> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' ? body : null;
  } catch {
    return null;
  }
}
