import type { JsonValue } from '../../base/canonical-json.ts';
import { EngineError, type EngineErrorClass } from '../engine.ts';

/** What an upstream answered, whatever the status. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined where it is no JSON. */
  readonly body: JsonValue | undefined;
}

/** What an error means, and the upstream's own words for it; either may be left to what the status says. */
export interface Explained {
  readonly class?: EngineErrorClass;
  readonly message?: string;
  /** Where the upstream says in its body when to come back. */
  readonly retryAfterMs?: number;
}
export type Explain = (answer: Answer) => Explained | null;

export interface ErrorContext {
  readonly name: string;
  readonly explain: Explain;
  readonly secrets: readonly string[];
  /** Whether the call ordered something that is paid. */
  readonly orders: boolean;
}

/** Refusals at the door: nothing behind it was begun, whatever the answer is written in. */
const AT_THE_DOOR = [401, 402, 403, 404, 429];
const UNDECIDED = [408, 409, 425, 499];
const MAX_MESSAGE = 500;
const MAX_WAIT_MS = 10 * 60 * 1000;

/** The error of an answer that is no success, with the upstream's own reason. */
export function errorFromAnswer(answer: Answer, context: ErrorContext): EngineError {
  const explained = context.explain(answer);
  const reason = explained?.message ?? reasonIn(answer.body) ?? `it answered ${answer.status}`;
  const toldMs = explained?.retryAfterMs;
  const retryAfterMs = toldMs === undefined ? retryAfterOf(answer.headers) : Math.min(MAX_WAIT_MS, toldMs);
  return new EngineError(
    explained?.class ?? classOfStatus(answer.status),
    `${context.name}: ${withoutSecrets(reason, context.secrets)}`,
    { took: context.orders ? tookOf(answer) : 'yes', ...(retryAfterMs === null ? {} : { retryAfterMs }) },
  );
}

/** `no` only where the upstream certainly did not take the order: a refusal that it put into words, or one at the door. */
function tookOf({ status, body }: Answer): 'no' | 'unknown' {
  if (AT_THE_DOOR.includes(status)) return 'no';
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

/** The usual places of a reason in an error body. */
function reasonIn(body: JsonValue | undefined): string | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const { error, detail, message, title } = body as { readonly [key: string]: JsonValue };
  if (typeof error === 'object' && error !== null) return reasonIn(error) ?? null;
  return (
    ([detail, message, error, title].find((text) => typeof text === 'string' && text !== '') as string | null) ?? null
  );
}

/** The first few hundred characters of a text, as one line, without what is secret. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  let clean = message;
  for (const secret of secrets) if (secret.length > 3) clean = clean.replaceAll(secret, '[key]');
  clean = clean.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return clean.length > MAX_MESSAGE ? `${clean.slice(0, MAX_MESSAGE)}…` : clean;
}

/** The whole header, and what follows the word `Bearer` or `Basic` in it. */
export function secretsOfHeader(authorization: string | null): string[] {
  return authorization === null ? [] : [authorization, ...authorization.split(' ').slice(1)];
}

/** `Retry-After` in seconds or as a date, which is read against the upstream's own clock; null where there is none. */
export function retryAfterOf(headers: Answer['headers']): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  const now = Date.parse(headers.date ?? '');
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? null : Math.min(MAX_WAIT_MS, Math.max(0, waitMs));
}
