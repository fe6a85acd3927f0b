import {
  errorFromFaults,
  type Fault,
  isCleanText,
  isoTime,
  ServiceError,
  startOfDay,
} from '@darkroom-service/contract';
import { isDay, readTime } from '@darkroom-service/contract/schemas';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;

/** Returns a hint if `from` and `to` are the same day: the caller meant that whole day. */
function remedy({ from, to }: { readonly from?: string; readonly to?: string }): string {
  if (from === undefined || from !== to || !isDay(from)) return '';
  const next = new Date(Date.parse(from) + DAY_MS).toISOString().slice(0, 10);
  return ` For the day ${from}, send to=${next}.`;
}

/** Returns the span of a page: that of the first page, also if that one ended at its time. */
export function spanOf(query: { readonly from?: string; readonly to?: string }, cursor: ReportCursor | null) {
  return cursor === null ? query : { from: isoTime(cursor.from), to: isoTime(cursor.to) };
}

/**
 * Reads the span of a report: by default the last 30 days.
 * @param timezone time zone in which a date without a time begins
 * @throws ServiceError with every fault
 */
export function readSpan(
  query: { readonly from?: string; readonly to?: string },
  now: number,
  cursor: ReportCursor | null = null,
  timezone = 'UTC',
) {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => {
    faults.push({ param, code: 'invalid_request', message });
    return null;
  };
  const read = (param: 'from' | 'to') => {
    const time = readTime(query[param], param, fault);
    return time !== null && isDay(query[param]) ? startOfDay(timezone, query[param]) : time;
  };
  const to = read('to') ?? now + 1;
  const from = read('from') ?? to - DEFAULT_DAYS * DAY_MS;
  if (faults.length === 0 && !(from < to))
    fault('from', `'from' must be before 'to', which is excluded.${remedy(query)}`);
  // The span of a page may have been widened to whole days.
  if (to - from > (cursor === null ? LONGEST_DAYS : LONGEST_DAYS + 2) * DAY_MS)
    fault('from', `'from' and 'to' can be at most ${LONGEST_DAYS} days apart.`);
  if (faults.length > 0) throw errorFromFaults(faults);
  return { from, to };
}

/** End of a page of usage or costs: its time span, which the next page keeps, and the group values of its last row. */
export interface ReportCursor {
  readonly from: number;
  readonly to: number;
  /** Group values, one per group, in order; a day as a number, no end user as an empty string. */
  readonly values: readonly (string | number)[];
}

const LONGEST = 1_000;

/** Returns the cursor of the next page of usage or costs. */
export function encodeReportCursor({ from, to, values }: ReportCursor): string {
  return Buffer.from(JSON.stringify([from, to, ...values])).toString('base64url');
}

/**
 * Parses the cursor of a page of usage or costs.
 * @throws ServiceError `invalid_request` unless the text comes from a page with the same groups.
 */
export function decodeReportCursor(text: string, groupBy: readonly string[]): ReportCursor {
  const [from, to, ...values] = parse(text);
  const fits =
    isTime(from) &&
    isTime(to) &&
    values.length === groupBy.length &&
    groupBy.every((group, index) => isValueOf(group, values[index]));
  if (fits) return { from: from as number, to: to as number, values: values as (string | number)[] };
  throw new ServiceError(
    'invalid_request',
    "'after' must be the next_after of a page with the same group_by. Omit it for the first page.",
    { param: 'after' },
  );
}

/** Tells whether a value is in the range of `Date`. */
function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15;
}

function isValueOf(group: string, value: unknown): boolean {
  return group === 'day' ? Number.isSafeInteger(value) : typeof value === 'string' && isCleanText(value);
}

function parse(text: string): unknown[] {
  try {
    const parsed: unknown = text.length <= LONGEST ? JSON.parse(Buffer.from(text, 'base64url').toString()) : null;
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
