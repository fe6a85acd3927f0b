import { type JsonValue, world } from '@darkroom-service/contract';
import { type Subject, subjectOfError } from './error-words.ts';
import { codesIn } from './reasons.ts';

/** The quota of a refusal according to the vendor's own fields. */
export interface ReportedQuota {
  /** `none`: the account has no quota. `day`: the quota of a day is used up. */
  readonly quota?: 'none' | 'day';
  /** Milliseconds until a quota of a day resets, if the vendor's documents state it. */
  readonly quotaResetMs?: number;
}

interface Refusal {
  readonly status: number;
  readonly body: JsonValue | undefined;
  readonly ordered?: () => readonly string[];
}

/** Refusal of an order for a quota that does not reset within minutes. */
export interface QuotaFault {
  /** `none`: the account has no quota, so waiting does not help. `day`: a quota of a day or longer is used up. */
  readonly quota: 'none' | 'day';
  /** Milliseconds until it may be tried again; null for `none`. */
  readonly retryAfterMs: number | null;
  /** Beginning of the message, for operators. */
  readonly lead: string;
  /** Whether the key has no quota for any model. */
  readonly isOfKey: boolean;
}

const OF_QUOTAS: readonly Subject[] = ['no_quota', 'billing', 'day_quota'];
/** Words of a quota of minutes, which resets soon, whatever else the message says of days. */
const PASSES_SOON = /\b(?:per|each|a|this) (?:second|minute|min|hour)\b|\b(?:RPM|TPM|IPM)\b|\/ ?min\b/i;
const NAMES_QUOTA = /quota|limit|allowance|exceed|too many|exhaust/i;
const FREE = /free[-_ ]?(?:tier|plan|quota)/i;
/** Delay if no reset is stated: a quota of the last 24 hours may have room again at any time. */
const HOUR_MS = 3_600_000;
/** Maximum delay in milliseconds: a day on which clocks change may have 25 hours. */
const LONGEST_MS = 25 * HOUR_MS;
const STATED =
  /(?:try again|retry|resets?|available)(?: (?:after|in|at|within))* ~?((?:\d+(?:\.\d+)? ?(?:h|m|s)[a-z]* ?)+)/i;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, m: 60_000, s: 1_000 };

/** Reads the quota of a refusal, from the vendor's fields or words. @param statedMs the stated retry delay, if any */
export function quotaOf(
  answer: Refusal,
  explained: ReportedQuota | null,
  reason: string,
  statedMs: number | null,
): QuotaFault | null {
  const quota = explained?.quota ?? quotaInWords(answer, reason);
  if (quota === 'none') {
    const isOfKey = [...codesIn(answer.body), reason].some((text) => FREE.test(text));
    const lead = isOfKey ? 'this key has no paid plan: ' : 'the account has a quota of zero for it: ';
    return { quota, retryAfterMs: null, isOfKey, lead };
  }
  if (quota !== 'day') return null;
  const toldMs = explained?.quotaResetMs ?? statedIn(reason) ?? statedMs;
  const retryAfterMs = Math.min(LONGEST_MS, toldMs ?? HOUR_MS);
  const until = new Date(world.now() + retryAfterMs).toISOString();
  const lead = `the quota of a day is used up, ${toldMs === null ? 'tried again' : 'it resets'} at ${until}: `;
  return { quota, retryAfterMs, isOfKey: false, lead };
}

function quotaInWords(answer: Refusal, reason: string): 'none' | 'day' | null {
  if (answer.status !== 429 && !(answer.status === 403 && NAMES_QUOTA.test(reason))) return null;
  const subject = subjectOfError(answer, reason, OF_QUOTAS);
  if (subject === 'no_quota') return 'none';
  return subject === 'day_quota' && !PASSES_SOON.test(reason) ? 'day' : null;
}

/** Returns the milliseconds of a delay such as `in 28m48s`. */
function statedIn(reason: string): number | null {
  const spans = STATED.exec(reason)?.[1]?.matchAll(/(\d+(?:\.\d+)?) ?(h|m|s)/gi) ?? [];
  const found = [...spans].map(([, count, unit]) => Number(count) * (UNIT_MS[String(unit).toLowerCase()] ?? 0));
  return found.length === 0 ? null : found.reduce((sum, one) => sum + one, 0);
}

/** Returns the milliseconds to the next midnight in a time zone whose days all have one. */
export function untilMidnightMs(timeZone: string, now: number): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const sinceMidnightMs = (at: number) => {
    const [hours = 0, minutes = 0, seconds = 0] = format.format(at).split(':').map(Number);
    return (hours * 3_600 + minutes * 60 + seconds) * 1_000;
  };
  const found = now - (now % 1_000) + 24 * HOUR_MS - sinceMidnightMs(now);
  const off = sinceMidnightMs(found);
  // If clocks change on this day, `found` is an hour too late, or too early.
  return found - now + (off > 12 * HOUR_MS ? 24 * HOUR_MS - off : -off);
}
