import { world } from '@darkroom-service/contract';
import type { Answer } from './transport.ts';

/** A failed request for a part of a file. */
export class AnswerFault extends Error {
  /**
   * Kind of the fault. `retry`: the same request may work later. `moved`: the address has expired. `changed`: it is
   * another file now.
   */
  readonly kind: 'retry' | 'moved' | 'changed' | 'refused';
  /** Pause that the host asks for, in milliseconds; null = none. */
  readonly afterMs: number | null;

  constructor(kind: AnswerFault['kind'], message: string, afterMs: number | null = null) {
    super(message);
    this.name = 'AnswerFault';
    this.kind = kind;
    this.afterMs = afterMs;
  }
}

/** Longest pause that a host may ask for, in milliseconds. */
export const MAX_PAUSE_MS = 300_000;
const EXPIRED = [400, 401, 403, 404, 410];

/**
 * Returns the fault for an error status of a hub.
 * @param wasRedirected whether the address came from a redirect that may have expired.
 */
export function answerFault({ status, headers, url, accountAdvice }: Answer, wasRedirected: boolean): AnswerFault {
  const found = `${url.host} answered ${status}`;
  if (status === 416) return new AnswerFault('changed', `${found}: the file has another length now`);
  if (status === 429 || status === 408 || status >= 500)
    return new AnswerFault('retry', found, pauseOf(headers['retry-after']) ?? limitPauseOf(headers.ratelimit));
  if (wasRedirected && EXPIRED.includes(status)) return new AnswerFault('moved', `${found}: the address has expired`);
  const advice = accountAdvice === null ? '' : `: ${accountAdvice}`;
  const meaning: Readonly<Record<number, string>> = {
    401: `the file needs an account${advice}`,
    403: `the file needs an account, or is not allowed here${advice}`,
    404: 'the file does not exist',
  };
  return new AnswerFault('refused', `${found}${status in meaning ? `: ${meaning[status]}` : ''} (${url.pathname})`);
}

/** Reads `Retry-After`. @returns milliseconds; null if it is missing or cannot be read. */
export function pauseOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - world.now();
  return Number.isNaN(ms) ? null : Math.min(MAX_PAUSE_MS, Math.max(0, ms));
}

/** Reads `RateLimit: "name";r=0;t=40`: requests that remain, and seconds until there are more. */
function limitPauseOf(rateLimit: string | undefined): number | null {
  const waits = (rateLimit ?? '').split(',').flatMap((limit) => {
    const [, seconds] = /;\s*t=(\d+)/.exec(limit) ?? [];
    return seconds !== undefined && /;\s*r=0\b/.test(limit) ? [Number(seconds) * 1000] : [];
  });
  return waits.length === 0 ? null : Math.min(MAX_PAUSE_MS, Math.max(...waits));
}
