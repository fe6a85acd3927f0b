import { errorFromFaults, type Fault, isoTime } from '@darkroom-service/contract';
import { startOfDay } from '../base/time-zone.ts';
import type { ReportCursor } from './report-cursor.ts';
import { isDay, readTime } from './tasks/task-query.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;

/** One day was meant, from its begin to its end. */
function remedy({ from, to }: { readonly from?: string; readonly to?: string }): string {
  if (from === undefined || from !== to || !isDay(from)) return '';
  const next = new Date(Date.parse(from) + DAY_MS).toISOString().slice(0, 10);
  return ` For the day ${from}, send to=${next}.`;
}

/** A page keeps the span of the first one, also where that ended at its time. */
export function spanOf(query: { readonly from?: string; readonly to?: string }, cursor: ReportCursor | null) {
  return cursor === null ? query : { from: isoTime(cursor.from), to: isoTime(cursor.to) };
}

/**
 * Reads the span of a report: by default the last 30 days.
 * @param timezone in which a date without a time begins
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
