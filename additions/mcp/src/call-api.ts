import type { JsonObject } from '@darkroom-service/contract';

/**
 * Calls `/v1` with the API key of the caller.
 * @throws Refusal `unreachable` if no answer comes
 */
export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>;

interface ApiRequest {
  readonly method: 'GET' | 'POST';
  /** Path of the call; begins with `/v1/`. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface ApiAnswer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly bytes: Uint8Array;
}

/** An error as `/v1` answers it, or one of the tools themselves. */
export interface ErrorDocument {
  readonly code: string;
  readonly message: string;
  readonly status?: number;
  readonly param?: string | null;
  readonly details?: readonly object[];
  readonly retryable?: boolean;
  readonly request_id?: string;
}

/** A refusal of a request by the service, or by a rule of the tools. */
export class Refusal extends Error {
  readonly error: ErrorDocument;

  constructor(error: ErrorDocument, cause?: unknown) {
    super(error.message, cause === undefined ? undefined : { cause });
    this.name = 'Refusal';
    this.error = error;
  }
}

/** Calls `/v1` and returns the `data` of the answer. @throws Refusal, which names tools in place of addresses */
export async function callForData<T>(call: CallApi, request: ApiRequest): Promise<T> {
  return (await callForAnswer<T>(call, request)).data;
}

/** Calls the service's interface and returns the data with the headers of the answer. @throws Refusal */
export async function callForAnswer<T>(
  call: CallApi,
  request: ApiRequest,
): Promise<{ readonly data: T; readonly header: ApiAnswer['header'] }> {
  const answer = await call(request);
  const body = parse(answer.bytes);
  if (answer.status < 300 && body !== null && 'data' in body) return { data: body.data as T, header: answer.header };
  throw new Refusal(errorIn(body) ?? unreadable(answer.status));
}

function parse(bytes: Uint8Array): { readonly data?: unknown; readonly error?: unknown } | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function errorIn(body: { readonly error?: unknown } | null): ErrorDocument | null {
  const error = body?.error;
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return null;
  const { docs_url: _, ...rest } = error as ErrorDocument & { readonly docs_url?: string };
  return inToolTerms(rest);
}

function unreadable(status: number): ErrorDocument {
  const message = `The service answered with the status ${status} and no readable body. Does DARKROOM_URL point to Darkroom?`;
  return { code: 'unreachable', message, status, retryable: status >= 500 };
}

/** Addresses in messages of the service, and the tools that do the same. */
const TOOLS = [
  [/\b(?:GET )?\/v1\/models\b/g, 'search_models'],
  [/\bPOST \/v1\/images\/actions\b/g, 'act_on_picture'],
  [/\bPOST \/v1\/images\b(?!\/)/g, 'create_picture'],
  [/\bPOST \/v1\/videos\b(?!\/)/g, 'create_film'],
  [/\bPOST \/v1\/batches\b(?!\/)/g, 'create_batch'],
  [/\bPOST \/v1\/prices\b/g, 'quote'],
  [/\bGET \/v1\/(?:images|videos)\/(\w+)/g, 'wait_for_task with the task_id $1'],
  [/\bGET \/v1\/(?:images|videos)\b/g, 'list_tasks'],
  // No tool does the others.
  [/\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[\w/{}]+/g, '$& of the HTTP interface'],
] as const;

/** Replaces addresses in an error by the agent's tools that do the same. */
function inToolTerms<Fault extends { readonly message: string; readonly details?: readonly object[] }>(
  error: Fault,
): Fault {
  const { message, details } = error;
  return {
    ...error,
    message: textInToolTerms(message),
    ...(details === undefined ? {} : { details: details.map(detailInToolTerms) }),
  };
}

function detailInToolTerms(detail: object): object {
  return 'message' in detail ? { ...detail, message: textInToolTerms(String(detail.message)) } : detail;
}

function textInToolTerms(message: string): string {
  return TOOLS.reduce((text, [address, tool]) => text.replaceAll(address, tool), message);
}
