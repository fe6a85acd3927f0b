import { type JsonObject, type JsonValue, world } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import type { CallContext, EngineErrorClass } from '../engine.ts';
import type { Probed } from '../probed.ts';
import type { Answer, Explained } from '../upstream/error-map.ts';
import { assertAccepted, probeBy } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { type ReportedQuota, untilMidnightMs } from '../upstream/quota-words.ts';
import { createReferenceTransfer } from '../upstream/reference-transfer.ts';
import type { EngineTools } from '../upstream/submit-poll-engine.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';

export interface GoogleSettings extends EngineTools {
  /** `GEMINI_API_KEY`. */
  readonly key: string;
  /** The endpoint's URL; null = Google's own. */
  readonly url: string | null;
  readonly fetch: TrustedFetch;
}

/** The stable version, which Google's client uses since 3.0 (README of @google/genai 3.3.0). */
const API_URL = 'https://generativelanguage.googleapis.com/v1';
/** 4K pictures and videos are inside the response in base64. */
export const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** Not verified against the live service: an order has at most 20 MB, and media can only be inlined. */
const UNVERIFIED = { mediaTogether: 14_000_000 };

/** Creates calls to the Gemini API. */
export function createGoogleApi(settings: GoogleSettings, timeoutMs: number): Upstream {
  const { key, fetch } = settings;
  return createUpstream({
    name: 'Google',
    baseUrl: settings.url ?? API_URL,
    headers: { 'x-goog-api-key': key },
    secrets: [key],
    fetch,
    explain: explainGoogleError,
    timeoutMs: settings.callTimeoutMs ?? timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
}

export const transferToGoogle = createReferenceTransfer({
  inline: UNVERIFIED.mediaTogether,
  inlineTogether: UNVERIFIED.mediaTogether,
  byAddress: false,
});

const CLASS_OF_STATUS: Readonly<Record<string, EngineErrorClass>> = {
  UNAUTHENTICATED: 'auth',
  PERMISSION_DENIED: 'auth',
  NOT_FOUND: 'auth',
  /** Concerns the account: an unsupported region, or no billing. */
  FAILED_PRECONDITION: 'billing',
  UNAVAILABLE: 'busy',
  DEADLINE_EXCEEDED: 'timeout',
};
/** Codes of the Interactions API, as far as its HTTP statuses do not say the same. */
const STATUS_OF_CODE: Readonly<Record<string, string>> = {
  not_found: 'NOT_FOUND',
  failed_precondition: 'FAILED_PRECONDITION',
  service_unavailable: 'UNAVAILABLE',
};
/** Time zone in which quotas of a day reset at midnight (ai.google.dev/gemini-api/docs/rate-limits, 2026-11-21). */
const ZONE_OF_QUOTAS = 'America/Los_Angeles';

/**
 * Reads `{ error: { code, message, status, details } }`, where interactions have a text as `code` and no `status`;
 * null: the HTTP status decides. After `UNAVAILABLE` Google's documents and client send the same request again, and
 * failed requests are not charged (ai.google.dev/gemini-api/docs/troubleshooting and /billing, 2026-11-21).
 */
export function explainGoogleError({ body }: Answer): Explained | null {
  const { message, code, status: told, details } = objectOf(objectOf(body).error);
  if (typeof message !== 'string') return null;
  const status = told ?? STATUS_OF_CODE[String(code)];
  const facts = Array.isArray(details) ? details.map((detail: JsonValue) => objectOf(detail)) : [];
  if (facts.some(({ reason }) => reason === 'API_KEY_INVALID')) return { class: 'auth', message };
  const known = CLASS_OF_STATUS[String(status)];
  const delay = facts.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(String(retryDelay))?.[1]).find(Boolean);
  return {
    message,
    ...(known === undefined ? {} : { class: known }),
    ...(status === 'NOT_FOUND' ? { scope: 'route' } : {}),
    ...(status === 'UNAVAILABLE' ? { refused: true } : {}),
    ...(delay === undefined ? {} : { retryAfterMs: Number(delay) * 1000 }),
    ...quotaIn(facts, message),
  };
}

/** Reads the violations of a `QuotaFailure`. A value of 0 is omitted, and no retry delay is that of a day. */
function quotaIn(facts: readonly JsonObject[], message: string): ReportedQuota {
  const violated = facts
    .flatMap(({ violations }) => (Array.isArray(violations) ? violations : []))
    .map((violation: JsonValue) => objectOf(violation));
  const isZero = ({ quotaId, quotaValue }: JsonObject) =>
    quotaValue === '0' || (quotaValue === undefined && /FreeTier/.test(String(quotaId)));
  if (!/limit: [1-9]/.test(message) && violated.some(isZero)) return { quota: 'none' };
  return violated.some(({ quotaId }) => /PerDay/.test(String(quotaId)))
    ? { quota: 'day', quotaResetMs: untilMidnightMs(ZONE_OF_QUOTAS, world.now()) }
    : {};
}

/**
 * Converts the data URIs in an input with `form`: Google's interfaces take base64 and type as separate fields, with
 * different names.
 */
export function withMedia(value: JsonValue, form: (base64: string, type: string) => JsonObject): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withMedia(item, form));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withMedia(inner, form)]));
  }
  const [, type, base64] = typeof value === 'string' ? (/^data:([^;,]+);base64,(.*)$/s.exec(value) ?? []) : [];
  return type === undefined || base64 === undefined ? value : form(base64, type);
}

/** Lists one model, which is free. */
export function probeGoogle(api: Upstream, { signal }: CallContext): Promise<Probed> {
  return probeBy(async () => {
    assertAccepted(api, await api.call({ url: '/models?pageSize=1', signal }), { has: ['models'] });
    return 'Google accepts the key';
  });
}
