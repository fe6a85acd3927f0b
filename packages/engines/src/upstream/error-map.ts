import type { JsonValue } from '@darkroom-service/contract';
import { retryAfterOf } from '@darkroom-service/media';
import { EngineError, type EngineErrorClass } from '../engine.ts';
import { type Subject, subjectOfError } from './error-words.ts';
import { type QuotaFault, quotaOf, type ReportedQuota } from './quota-words.ts';
import { fieldsIn, reasonIn } from './reasons.ts';
import { withoutSecrets } from './without-secrets.ts';

/** An upstream's response, whatever its status. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly body: JsonValue | undefined;
  /** The bytes of a body that is not JSON, the first 16 MB. */
  readonly unread?: Uint8Array;
  /** The files that were decoded while the body arrived, by the names that stand for them there. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
  /** Returns the texts of the order, which the upstream may quote; absent = the call ordered nothing. */
  readonly ordered?: () => readonly string[];
}

/** The meaning of an error and the upstream's own message; the HTTP status decides about absent fields. */
export interface Explained extends ReportedQuota {
  /** The class by a code that the vendor documents. */
  readonly class?: EngineErrorClass;
  readonly message?: string;
  /** Milliseconds of the retry delay, if the upstream's body states one. */
  readonly retryAfterMs?: number;
  /** `route`: the upstream works, but not for this model or kind of order. */
  readonly scope?: 'engine' | 'route';
  /** The basis of the class. Default: `documented`. */
  readonly proof?: EngineError['proof'];
  /** True if, by the vendor's documents or its own client, nothing was made or charged after this 5xx. */
  readonly refused?: true;
}
export type Explain = (answer: Answer) => Explained | null;

export interface ErrorContext {
  readonly name: string;
  readonly explain: Explain;
  readonly secrets: readonly string[];
  /** Whether the call placed a paid order. */
  readonly orders: boolean;
  /** The 5xx after which nothing was made or charged, if the body is in the vendor's form. Default: none. */
  readonly refusals?: readonly number[];
}

/** Statuses that refuse a request before any work, whatever the format of the body (RFC 9110, 6585, 8470). */
const REFUSED_BEFORE_WORK = [
  401, 402, 403, 404, 405, 407, 411, 413, 414, 415, 417, 421, 425, 426, 428, 429, 431, 451, 501, 505, 511,
];
/** Statuses of a wrong request, due to the operator's settings or this program: waiting does not help. */
const MISDIRECTED = [405, 407, 411, 414, 417, 421, 426, 428, 431, 451, 501, 505, 511];
/**
 * Statuses of a missing model: the URL of an order names it. Only if the body is JSON, since a reverse proxy sends the
 * same status when its server is down.
 */
const NO_SUCH_MODEL = [404, 410];
const UNDECIDED = [408, 409, 499];
/** Statuses that only mean that the order is refused: the words tell the reason. */
const WORDS_TELL = [400, 403, 422];
/** Statuses whose words are about the account, and not about a text of the order. */
const OF_ACCOUNT = [401, 402, 403, 429];
/** Classes of documented codes for which only the words tell whether the account can pay. */
const MAY_BE_BILLING: readonly (EngineErrorClass | undefined)[] = [
  undefined,
  'invalid_input',
  'auth',
  'rate_limited',
  'upstream',
];
const MAX_WAIT_MS = 10 * 60 * 1000;

/** Creates the error for an unsuccessful response, with the upstream's own reason. */
export function errorFromAnswer(answer: Answer, context: ErrorContext): EngineError {
  const explained = context.explain(answer);
  const reason = reasonOf(answer, explained);
  const message = isRedirect(answer.status)
    ? `it redirects to another address (${answer.status}), so the base URL that is configured for it is wrong`
    : reason;
  const toldMs = explained?.retryAfterMs ?? retryAfterOf(answer.headers, Infinity);
  const quota = context.orders ? quotaOf(answer, explained, reason, toldMs) : null;
  const askedMs = toldMs === null ? null : Math.min(MAX_WAIT_MS, toldMs);
  const retryAfterMs = quota === null ? askedMs : quota.retryAfterMs;
  const { class: errorClass, ...meaning } =
    quota === null ? meaningOf(answer, explained, reason, context.orders) : meaningOfQuota(quota);
  const words = withoutSecrets(`${quota?.lead ?? ''}${message}`, context.secrets);
  return new EngineError(errorClass, `${context.name}: ${words}`, {
    ...meaning,
    took: context.orders ? tookOf(answer, explained, context) : 'yes',
    fields: fieldsIn(answer.body).map((field) => withoutSecrets(field, context.secrets)),
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

/** Returns the reason in the vendor's own form, or in the usual forms if they say more, such as of each field. */
function reasonOf({ status, body }: Answer, explained: Explained | null): string {
  const usual = reasonIn(body);
  const message = explained?.message;
  if (message === undefined) return usual ?? `it answered ${status}`;
  return usual?.startsWith(message) === true ? usual : message;
}

type Meaning = Pick<EngineError, 'class'> & Partial<Pick<EngineError, 'scope' | 'proof'>>;

/** Returns the meaning: by the vendor's documented code, else by the status, and by words if both leave it open. */
function meaningOf(answer: Answer, explained: Explained | null, reason: string, orders: boolean): Meaning {
  const { status } = answer;
  const isOfModel = orders && (isNoSuchModel(answer) || MISDIRECTED.includes(status) || isRedirect(status));
  const scope = explained?.scope ?? (isOfModel ? 'route' : 'engine');
  const known = explained?.class;
  const subject = subjectOfError(answer, reason, mayBe(answer, known, orders));
  const isOfAccount = OF_ACCOUNT.includes(status) || status >= 500;
  if (subject === 'billing') return { class: 'billing', scope, proof: isOfAccount ? 'documented' : 'words' };
  if (subject === 'model') return { class: 'auth', scope: 'route', proof: 'words' };
  if (subject === 'content_policy' || subject === 'auth') return { class: subject, scope, proof: 'words' };
  if (known !== undefined) return { class: known, scope, proof: explained?.proof ?? 'documented' };
  return { class: classOfStatus(status), scope };
}

/** Returns the subjects that only the words of an error can tell, not its code or status. */
function mayBe(answer: Answer, known: EngineErrorClass | undefined, orders: boolean): readonly Subject[] {
  const { status } = answer;
  const ofBilling: readonly Subject[] =
    MAY_BE_BILLING.includes(known) && status >= 400 && !NO_SUCH_MODEL.includes(status) ? ['billing'] : [];
  if (!orders || !WORDS_TELL.includes(status)) return ofBilling;
  if (known === undefined) return ['content_policy', 'billing', 'auth', 'model'];
  return known === 'invalid_input' ? ['content_policy', ...ofBilling] : ofBilling;
}

/** Returns the meaning of a quota: one of zero is a billing fault, of the key for a free tier, else of the model. */
function meaningOfQuota({ quota, isOfKey }: QuotaFault): Meaning {
  if (quota === 'day') return { class: 'rate_limited', scope: 'route', proof: 'documented' };
  return { class: 'billing', scope: isOfKey ? 'engine' : 'route', proof: 'documented' };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function isNoSuchModel({ status, body }: Answer): boolean {
  return NO_SUCH_MODEL.includes(status) && typeof body === 'object' && body !== null;
}

/**
 * Returns `no` only if the upstream certainly did not accept the order: an explicit refusal, a redirect, one of
 * `REFUSED_BEFORE_WORK`, or a 5xx that the vendor describes as one.
 */
function tookOf({ status, body }: Answer, explained: Explained | null, { refusals = [] }: ErrorContext) {
  if (REFUSED_BEFORE_WORK.includes(status) || isRedirect(status) || explained?.refused === true) return 'no';
  const isInWords = typeof body === 'object' && body !== null;
  if (refusals.includes(status) && reasonIn(body) !== null) return 'no';
  return status >= 400 && status < 500 && isInWords && !UNDECIDED.includes(status) ? 'no' : 'unknown';
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
