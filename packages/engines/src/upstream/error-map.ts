import type { JsonValue } from '@darkroom-service/contract/json';
import { EngineError, type EngineErrorClass } from '../engine.ts';

/** An upstream's response, whatever its status. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined if it is not JSON. */
  readonly body: JsonValue | undefined;
  /** The files that were decoded while the body arrived, by the names that stand for them there. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/** The meaning of an error and the upstream's own message; the HTTP status decides what is absent. */
export interface Explained {
  readonly class?: EngineErrorClass;
  readonly message?: string;
  /** Set if the upstream's body states a retry delay. */
  readonly retryAfterMs?: number;
  /** `route`: the upstream works, but not for this model or kind of order. */
  readonly scope?: 'engine' | 'route';
  /** What the class rests on. Default: `documented`. */
  readonly proof?: EngineError['proof'];
  /** Set if the vendor's documents or its own client say that nothing was made or charged after this 5xx. */
  readonly refused?: true;
}
export type Explain = (answer: Answer) => Explained | null;

interface ErrorContext {
  readonly name: string;
  readonly explain: Explain;
  readonly secrets: readonly string[];
  /** Whether the call ordered something that is paid. */
  readonly orders: boolean;
}

/** Statuses that refuse a request before any work, whatever the format of the body. */
const REFUSED_BEFORE_WORK = [401, 402, 403, 404, 429];
/**
 * The model does not exist: the URL of an order names it. Only if the body is JSON, since a reverse proxy sends the
 * same status when its server is down.
 */
const NO_SUCH_MODEL = [404, 405, 410];
const UNDECIDED = [408, 409, 425, 499];
const MAX_MESSAGE = 500;
const MAX_WAIT_MS = 10 * 60 * 1000;

/** Creates the error for an unsuccessful response, with the upstream's own reason. */
export function errorFromAnswer(answer: Answer, context: ErrorContext): EngineError {
  const explained = context.explain(answer);
  const reason = explained?.message ?? reasonIn(answer.body) ?? `it answered ${answer.status}`;
  const toldMs = explained?.retryAfterMs;
  const retryAfterMs = toldMs === undefined ? retryAfterOf(answer.headers) : Math.min(MAX_WAIT_MS, toldMs);
  return new EngineError(
    explained?.class ?? classOfStatus(answer.status),
    `${context.name}: ${withoutSecrets(reason, context.secrets)}`,
    {
      took: context.orders ? tookOf(answer, explained) : 'yes',
      scope: explained?.scope ?? (context.orders && isNoSuchModel(answer) ? 'route' : 'engine'),
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
      ...(explained?.proof === undefined ? {} : { proof: explained.proof }),
    },
  );
}

function isNoSuchModel({ status, body }: Answer): boolean {
  return NO_SUCH_MODEL.includes(status) && typeof body === 'object' && body !== null;
}

/**
 * Returns `no` only if the upstream certainly did not accept the order: an explicit refusal, one of
 * `REFUSED_BEFORE_WORK`, or a 5xx that the vendor describes as one.
 */
function tookOf({ status, body }: Answer, explained: Explained | null): 'no' | 'unknown' {
  if (REFUSED_BEFORE_WORK.includes(status) || explained?.refused === true) return 'no';
  const inWords = typeof body === 'object' && body !== null;
  return status >= 400 && status < 500 && inWords && !UNDECIDED.includes(status) ? 'no' : 'unknown';
}

function classOfStatus(status: number): EngineErrorClass {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 503 || status === 529) return 'busy';
  if (status === 400 || status === 413 || status === 415 || status === 422) return 'invalid_input';
  return 'upstream';
}

/** Returns the reason from the usual fields of an error body. */
function reasonIn(body: JsonValue | undefined): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { error, detail, message, title } = body as { readonly [key: string]: JsonValue };
  if (typeof error === 'object' && error !== null) return reasonIn(error) ?? null;
  return (
    ([detail, message, error, title].find((text) => typeof text === 'string' && text !== '') as string | null) ?? null
  );
}

/** Returns the first few hundred characters of a text without line breaks and secrets. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  let clean = message;
  for (const secret of secrets) if (secret.length > 3) clean = clean.replaceAll(secret, '[key]');
  clean = clean.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}

/** Returns the whole header, and the part after `Bearer` or `Basic`. */
export function secretsOfHeader(authorization: string | null): string[] {
  return authorization === null ? [] : [authorization, ...authorization.split(' ').slice(1)];
}

/** Parses `Retry-After`, in seconds or as a date, which is compared with the upstream's own clock; null if absent. */
export function retryAfterOf(headers: Answer['headers']): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  const now = Date.parse(headers.date ?? '');
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? null : Math.min(MAX_WAIT_MS, Math.max(0, waitMs));
}
