import { frameTexts } from '../texts/frame.ts';
import { ApiError, type Fault } from './api-error.ts';
import { reportSilence } from './connection.ts';
import type { DataOf, Operation, RequestOf } from './operations.ts';
import { SERVICE_URL } from './service-url.ts';
import { forgetKey, type KeyKind, sessionStore } from './session.ts';
import { createStore } from './store.ts';

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** In place of the session's own, to try a key out. */
  readonly key?: string;
}

/** Why the last key was let go, for the page that asks for another. */
export const refusedKeyStore = createStore<string | null>(null);

/** Calls one operation of the interface, such as `call('GET /v1/account')`. @throws ApiError */
export async function call<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  options: CallOptions = {},
): Promise<DataOf<O>> {
  const { path, query, body } = request as {
    path?: Record<string, string>;
    query?: Record<string, unknown>;
    body?: unknown;
  };
  const [method = 'GET', pattern = '/'] = operation.split(' ');
  const address = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path?.[name] ?? ''));
  const answer = await send(method, `${address.slice(1)}${queryString(query)}`, kindFor(address), options, {
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return answer as DataOf<O>;
}

/** Uploads one file. @throws ApiError */
export async function uploadFile(file: Blob): Promise<DataOf<'POST /v1/files'>> {
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  const answer = await send('POST', 'v1/files', kindFor('/v1'), {}, { headers: { 'content-type': type }, body: file });
  return answer as DataOf<'POST /v1/files'>;
}

/** Trades a sign-in link for the keys. @throws ApiError */
export async function redeemSignInLink(token: string): Promise<{ readonly keys: Record<KeyKind, string> }> {
  const body = JSON.stringify({ token });
  const headers = { 'content-type': 'application/json' };
  return (await send('POST', 'console/session', null, {}, { headers, body })) as { keys: Record<KeyKind, string> };
}

function kindFor(path: string): KeyKind {
  return path.startsWith('/admin/') ? 'admin' : sessionStore.get().mode;
}

async function send(
  method: string,
  path: string,
  kind: KeyKind | null,
  { headers = {}, signal, key }: CallOptions,
  content: { readonly headers: Record<string, string>; readonly body: BodyInit | null },
): Promise<unknown> {
  const bearer = key ?? (kind === null ? undefined : sessionStore.get().keys[kind]);
  const silence = (error: unknown): never => {
    if (signal?.aborted === true) throw error;
    reportSilence();
    throw new ApiError({ status: 0, code: 'unreachable', message: frameTexts.unreachable, retryable: true });
  };
  const response = await fetch(`${SERVICE_URL}${path}`, {
    method,
    headers: { ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }), ...content.headers, ...headers },
    body: content.body,
    signal: signal ?? null,
  }).catch(silence);
  // An answer that breaks off is none.
  const text = await response.text().catch(silence);
  const parsed = parseJson(text);
  if (response.ok) return parsed !== null && 'data' in parsed ? parsed.data : (parsed ?? text);
  const refusal = errorOf(response.status, parsed);
  if (refusal.status === 401 && key === undefined && kind !== null) {
    forgetKey(kind);
    refusedKeyStore.set(refusal.message);
  }
  throw refusal;
}

function errorOf(status: number, parsed: Record<string, unknown> | null): ApiError {
  const error = parsed?.error as
    | { code: string; message: string; param: string | null; details: Fault[]; retryable: boolean; request_id: string }
    | undefined;
  if (error === undefined)
    return new ApiError({
      status,
      code: 'unreadable',
      message: frameTexts.unreadable(status),
      retryable: status >= 500,
    });
  return new ApiError({ ...error, status, requestId: error.request_id });
}

function parseJson(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function queryString(query: Record<string, unknown> | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
