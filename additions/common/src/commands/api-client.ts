import { sleep, world } from '@darkroom-service/contract';
import {
  type ClientSettings,
  CommandFault,
  loadClientSettings,
  parseKey,
  readEnvironment,
} from '@darkroom-service/darkroom/kernel-cli';
import { notDarkroom, RefusedFault, readJson, refusal, UnreachableFault, unreachable } from './client-faults.ts';
import { createAuthorizedFetch, readLogin, type SavedLogin } from './saved-login.ts';

/** Calls a running service. Every method throws a CommandFault with the service's message. */
export interface ApiClient {
  /** The address without a trailing slash. */
  readonly url: string;
  /** API key, or the id of a login's key. */
  readonly apiKey: string | null;
  readonly mode: 'live' | 'test' | 'admin' | null;
  get<T>(path: string, options?: CallOptions): Promise<T>;
  /** Sends a request once: it is never retried automatically, since an order may have been charged. */
  post<T>(path: string, body: object | null, options?: CallOptions): Promise<T>;
  /** Changes what repeating changes no more. */
  put<T>(path: string): Promise<T>;
  delete<T>(path: string): Promise<T>;
  /** Returns the raw response, for files. */
  download(path: string, signal?: AbortSignal): Promise<Response>;
  /** Sends any request once, and returns the raw response. */
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Uploads a file's content, like `post` once. */
  upload<T>(path: string, content: Blob, headers?: Readonly<Record<string, string>>): Promise<T>;
}

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Milliseconds for which a call is retried while the service cannot be reached or is busy; for reads only. */
  readonly patienceMs?: number;
}

const BINARY = { 'content-type': 'application/octet-stream' };

export function clientOfEnvironment(): ApiClient {
  const settings = loadClientSettings(readEnvironment());
  return createApiClient(settings, settings.apiKey === null ? readLogin(settings.url) : null);
}

/**
 * Creates a client of the service's interface for commands.
 * @param login saved sign-in of a person; used if there is no API key
 */
export function createApiClient(settings: ClientSettings, login: SavedLogin | null = null): ApiClient {
  const loggedIn = settings.apiKey === null ? login : null;
  const sendAuthorized = createAuthorizedFetch(settings, loggedIn);

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await sendAuthorized(path, { ...init, method });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw error instanceof CommandFault ? error : unreachable(settings.url, error);
    }
    if (response.ok) return response;
    throw await refusal(response, settings);
  }

  async function get<T>(path: string, options: CallOptions = {}): Promise<T> {
    return await withPatience(options, async () => await dataOf<T>(await send('GET', path, callInit(options))));
  }

  return {
    send,
    url: settings.url,
    apiKey: loggedIn?.keyId ?? settings.apiKey,
    mode: loggedIn?.mode ?? parseKey(settings.apiKey ?? '')?.mode ?? null,
    get,
    post: async <T>(path: string, body: object | null, options: CallOptions = {}) => {
      const init = callInit(options);
      if (body !== null) {
        init.body = JSON.stringify(body);
        init.headers = { ...headersOf(init), 'content-type': 'application/json' };
      }
      return await dataOf<T>(await send('POST', path, init));
    },
    put: async <T>(path: string) => await dataOf<T>(await send('PUT', path, {})),
    delete: async <T>(path: string) => await dataOf<T>(await send('DELETE', path, {})),
    download: (path, signal) => send('GET', path, signal === undefined ? {} : { signal }),
    upload: async <T>(path: string, content: Blob, headers: Readonly<Record<string, string>> = {}) =>
      await dataOf<T>(await send('POST', path, { body: content, headers: { ...BINARY, ...headers } })),
  };
}

/** Returns the data of an answer. @throws CommandFault if the service that answered is not Darkroom */
export async function dataOf<T>(response: Response): Promise<T> {
  const body = await readJson(response);
  if (body === null || !('data' in body)) throw notDarkroom(response.url);
  return body.data as T;
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

/** Repeats reads while the service cannot be reached or is busy. */
export async function withPatience<T>(
  { patienceMs = 0, signal }: Pick<CallOptions, 'patienceMs' | 'signal'>,
  read: () => Promise<T>,
): Promise<T> {
  const end = world.now() + patienceMs;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
    try {
      return await read();
    } catch (error) {
      if (!isRetryable(error) || world.now() + pauseMs > end) throw error;
      await sleep(pauseMs, { signal });
    }
  }
}

/** Tells whether waiting may help: the service cannot be reached, or is busy. */
export function isRetryable(error: unknown): boolean {
  return error instanceof UnreachableFault || (error instanceof RefusedFault && [429, 503].includes(error.status));
}
