import { isoTime } from '@darkroom-service/contract/clock';
import { errorFromFaults, type Fault } from '@darkroom-service/contract/errors';
import type { UsageCursor } from '../accounts/usage-cursor.ts';
import { readTime } from './tasks/task-query.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;

/** A page keeps the span of the first one, also where that ended at its time. */
export function spanOf(query: { readonly from?: string; readonly to?: string }, cursor: UsageCursor | null) {
  return cursor === null ? query : { from: isoTime(cursor.from), to: isoTime(cursor.to) };
}

/** Reads the span of a report: by default the last 30 days. @throws ServiceError with every fault */
export function readSpan(
  query: { readonly from?: string; readonly to?: string },
  now: number,
  cursor: UsageCursor | null = null,
) {
  const faults: Fault[] = [];
  const fault = (param: string, message: string) => {
    faults.push({ param, code: 'invalid_request', message });
    return null;
  };
  const to = readTime(query.to, 'to', fault) ?? now + 1;
  const from = readTime(query.from, 'from', fault) ?? to - DEFAULT_DAYS * DAY_MS;
  if (faults.length === 0 && !(from < to)) fault('from', "'from' must be before 'to'.");
  // The span of a page may have been widened to whole days.
  if (to - from > (cursor === null ? LONGEST_DAYS : LONGEST_DAYS + 2) * DAY_MS)
    fault('from', `'from' and 'to' can be at most ${LONGEST_DAYS} days apart.`);
  if (faults.length > 0) throw errorFromFaults(faults);
  return { from, to };
}
