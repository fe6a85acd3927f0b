import { ApiError as ClientApiError, DarkroomError } from '@darkroom/client/errors';
import { chunksOf, readServerEvents, type ServerEvent } from '@darkroom/client/server-events';
import { type Answer, type Call, createTransport } from '@darkroom/client/transport';
import { inReadersForm } from '../format.ts';
import { frameTexts } from '../texts/frame.ts';
import { ApiError, type Fault, isUnreachable } from './api-error.ts';
import { reportSilence } from './connection.ts';
import type { DataOf, Deed, Operation, Reading, RequestOf } from './operations.ts';
import { fetchAsPerson } from './person.ts';
import { BASE_URL } from './service-url.ts';
import { forgetKey, type KeyKind, kindOfKey, sessionStore } from './session.ts';
import { createStore } from './store.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Key to use instead of the key in use: another one of the session, or one to try out. */
  readonly key?: string;
}

/** Timeout of an answer, in milliseconds: longer than any answer takes, also to a large upload. */
const PATIENCE_MS = 600_000;
/** Timeout of a stream's first event, in milliseconds. Later the service sends a heartbeat every 15 seconds. */
const FIRST_EVENT_MS = 10_000;
const SILENCE_MS = 40_000;

/** Reason why the last key was removed, for the page that asks for another. */
export const refusedKeyStore = createStore<{ readonly kind: KeyKind; readonly message: string } | null>(null);

/** Calls one operation that changes nothing, such as `call('GET /v1/account')`. @throws ApiError */
export async function call<R extends Reading>(
  operation: R,
  request: RequestOf<R>,
  options: CallOptions = {},
): Promise<DataOf<R>> {
  return (await callOnce(operation, request, options)).data;
}

/** The answer of a deed. */
export interface DeedAnswer<D extends Deed> {
  readonly data: DataOf<D>;
  /** Whether the service had carried out the deed for an earlier request with the same Idempotency-Key. */
  readonly isReplayed: boolean;
}

/** Sends a deed once. Forms use the book of deeds instead. @throws ApiError */
export async function callDeed<D extends Deed>(
  deed: D,
  request: RequestOf<D>,
  options: CallOptions = {},
): Promise<DeedAnswer<D>> {
  const { data, headers } = await callOnce(deed, request, options);
  return { data, isReplayed: headers.get('idempotent-replayed') === 'true' };
}

async function callOnce<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  options: CallOptions,
): Promise<{ readonly data: DataOf<O>; readonly headers: Headers }> {
  const { query, body } = request as { query?: Record<string, unknown>; body?: unknown };
  const [method = 'GET'] = operation.split(' ', 1);
  const address = addressOf(operation, request);
  const content = { query: queryOf(query), json: body };
  const kind = options.key === undefined ? kindFor(address) : kindOfKey(options.key);
  const { data, headers } = await send(method as Call['method'], address, kind, options, content);
  return { data: data as DataOf<O>, headers };
}

/** Returns the path of a request, with the values of its parameters. */
export function addressOf<O extends Operation>(operation: O, request: RequestOf<O>): string {
  const { path } = request as { readonly path?: Record<string, string> };
  const pattern = operation.slice(operation.indexOf('/'));
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = path?.[name] ?? '';
    if (value === '') throw new Error(`${operation} was called without a value for ${name}`);
    return encodeURIComponent(value);
  });
}

/** Sends one file once. @throws ApiError */
export async function callUpload(file: Blob, options: CallOptions): Promise<DataOf<'POST /v1/files'>> {
  const headers = { 'content-type': file.type === '' ? 'application/octet-stream' : file.type };
  const answer = await send('POST', '/v1/files', kindFor('/v1'), options, { headers, body: file });
  return answer.data as DataOf<'POST /v1/files'>;
}

interface StreamOptions {
  readonly key: string | null;
  readonly signal: AbortSignal;
  readonly firstEventMs?: number;
}

/**
 * Reads server-sent events with one key of the session, until the stream ends or no event comes in time. @throws
 * DarkroomError
 */
export async function* openEvents<O extends Reading>(
  operation: O,
  request: RequestOf<O>,
  { key, signal, firstEventMs = FIRST_EVENT_MS }: StreamOptions,
): AsyncGenerator<ServerEvent> {
  const transport = transportOf(key, firstEventMs);
  const { query = {} } = request as { readonly query?: object };
  const path = addressOf(operation, request);
  const { response, link } = await transport.open({ path, query, headers: { accept: 'text/event-stream' }, signal });
  try {
    link.limit(firstEventMs);
    for await (const event of readServerEvents(chunksOf(response.body))) {
      link.limit(SILENCE_MS);
      yield event;
    }
  } finally {
    link.abort();
    link.release();
  }
}

/** Exchanges the token of a sign-in link for the keys. @throws ApiError */
export async function redeemSignInLink(token: string): Promise<{ readonly keys: Record<KeyKind, string> }> {
  const { data } = await send('POST', '/console/session', null, {}, { json: { token } });
  return data as { keys: Record<KeyKind, string> };
}

export function kindFor(path: string): KeyKind {
  return path.startsWith('/admin/') ? 'admin' : sessionStore.get().mode;
}

async function send(
  method: Call['method'],
  path: string,
  kind: KeyKind | null,
  { headers = {}, signal, key }: CallOptions,
  content: Pick<Call, 'query' | 'json' | 'body' | 'headers'>,
): Promise<Answer<unknown>> {
  const sent = key ?? (kind === null ? undefined : sessionStore.get().keys[kind]);
  const transport = transportOf(sent ?? null, PATIENCE_MS);
  try {
    const call = { ...content, method: method ?? 'GET', path, signal, headers: { ...content.headers, ...headers } };
    return await transport.send(call);
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    const refusal = consoleErrorOf(error);
    if (isUnreachable(refusal)) reportSilence();
    // The session may have received another key meanwhile.
    if (refusal.status === 401 && kind !== null && sessionStore.get().keys[kind] === sent) {
      forgetKey(kind);
      refusedKeyStore.set({ kind, message: refusal.message });
    }
    throw refusal;
  }
}

/** Creates a transport without retries: pages poll by themselves, and only the user sends an order again. */
function transportOf(apiKey: string | null, responseTimeoutMs: number) {
  return createTransport({ baseUrl: BASE_URL, apiKey, fetch: fetchAsPerson, retries: 0, responseTimeoutMs });
}

/** Converts the client's errors, with the console's own message if none came from the service. */
function consoleErrorOf(error: unknown): ApiError {
  if (error instanceof ClientApiError) {
    const { status, code, message, param, retryable, requestId } = error;
    const faults = error.details as unknown as readonly Fault[];
    // Some errors have amounts as details, without a message.
    const details = faults.map((fault) =>
      typeof fault.message === 'string' ? { ...fault, message: inReadersForm(fault.message) } : fault,
    );
    return new ApiError({ status, code, message: inReadersForm(message), param, details, retryable, requestId });
  }
  const status = error instanceof DarkroomError ? error.status : null;
  if (status === null)
    return new ApiError({ status: 0, code: 'unreachable', message: frameTexts.unreachable, retryable: true });
  return new ApiError({ status, code: 'unreadable', message: frameTexts.unreadable(status), retryable: status >= 500 });
}

/** Returns the values of a query without the empty ones. */
function queryOf(query: Record<string, unknown> | undefined): object {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}
