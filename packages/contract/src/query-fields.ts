import { Type } from 'typebox';
import { errorFromFaults, type Fault } from './errors.ts';

/** Number of entries of a page of a list, unless the request says otherwise. */
export const DEFAULT_LIMIT = 20;

/** The parameter for the number of entries of a page. */
export const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT, description: 'entries of a page, 1 to 100' }),
);

/** Returns the schema of a comma-separated list of these words in a query. Spaces around them do not count. */
export function wordList(words: readonly string[]) {
  const word = `\\s*(${words.join('|')})\\s*`;
  return Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: `^${word}(,${word})*$`,
    description: `one or several of ${words.join(', ')}, comma-separated`,
  });
}

/** Reads what a `wordList` of these words has accepted; each word once. */
export function readWordList<Word extends string>(text: string | undefined): Word[] {
  return text === undefined ? [] : [...new Set(text.split(',').map((word) => word.trim() as Word))];
}

/** Reads times by the names of their fields; null where none was sent. @throws ServiceError with every fault */
export function readTimes<Field extends string>(
  sent: Readonly<Partial<Record<Field, string | null | undefined>>>,
): Record<Field, number | null> {
  const faults: Fault[] = [];
  const times = Object.entries<string | null | undefined>(sent).map(([param, text]) => [
    param,
    readTime(text ?? undefined, param, (_, message) => {
      faults.push({ param, code: 'invalid_request', message });
      return null;
    }),
  ]);
  if (faults.length > 0) throw errorFromFaults(faults);
  return Object.fromEntries(times);
}

/** Returns the milliseconds of an ISO 8601 time (UTC if it has no zone) or date; null if it was not sent. */
export function readTime(
  text: string | undefined,
  param: string,
  fault: (param: string, message: string) => null,
): number | null {
  if (text === undefined) return null;
  const match = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i.exec(text);
  const zoned = (match?.[2] !== undefined && match[5] === undefined ? `${text}Z` : text).toUpperCase();
  const time = isDay(match?.[1]) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(time)) {
    return fault(
      param,
      `'${param}' must be an ISO 8601 date or time such as 2026-11-20 or 2026-11-20T00:00:00Z; found '${text.slice(0, 60)}'.${text.includes(' ') ? ' In a URL, write + as %2B.' : ''}`,
    );
  }
  return time;
}

/**
 * Tells whether a text is a date such as `2026-11-25`. `Date.parse` takes the 30th of February for the 2nd of March.
 */
export function isDay(text: string | undefined): text is string {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}
