import { ServiceError } from '@darkroom-service/contract';
import { isCleanText } from '../base/clean-text.ts';

/**
 * The end of a page of usage or costs: its time span, which the next page keeps, and the group values of its last row.
 */
export interface ReportCursor {
  readonly from: number;
  readonly to: number;
  /** One per group, in order; a day as a number, no end user as an empty string. */
  readonly values: readonly (string | number)[];
}

const LONGEST = 1_000;

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
