/**
 * Parses `Retry-After`: seconds, or a date, which is compared with the server's own clock if the answer has a `Date`.
 * @param longestMs upper bound of the result
 * @returns milliseconds from now, at least 0; null if the header is absent or invalid
 */
export function retryAfterOf(headers: Readonly<Record<string, string | undefined>>, longestMs: number): number | null {
  const header = headers['retry-after']?.trim();
  if (header === undefined || header === '') return null;
  const now = headers.date === undefined ? Date.now() : Date.parse(headers.date);
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? null : Math.min(longestMs, Math.max(0, waitMs));
}
