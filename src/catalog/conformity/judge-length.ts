import type { MediaMeasurement, ResolvedRequest, RouteDelivers } from '@darkroom-service/contract/catalog';

/** Tolerance by which a video may be shorter than ordered: in seconds, and as a share of the ordered length. */
const SECONDS = 0.5;
const PART = 0.05;

/** Tells whether a length is less than an ordered one. */
export function isBelowLength(delivered: number, ordered: number): boolean {
  const missing = ordered - delivered;
  return missing > SECONDS && missing > PART * ordered;
}

/**
 * Returns the length that an upstream is expected to deliver for a sent one, in seconds; null if it is not judged:
 * edits and extensions, unless the route states their length.
 */
export function expectedLength(
  sent: number,
  request: Pick<ResolvedRequest, 'derived' | 'media'>,
  measurements: readonly MediaMeasurement[],
  delivers: RouteDelivers | undefined,
): number | null {
  const stated = delivers?.seconds;
  if (stated === false) return null;
  if (typeof stated === 'object') return ofVideo() ? null : (stated[String(sent)] ?? sent);
  if (!ofVideo()) return sent;
  if (stated === undefined) return null;
  if (stated === 'without_input') return sent;
  const lengths = request.media
    .filter(({ kind }) => kind === 'video')
    .map(({ field, index }) => measurements.find((one) => one.field === field && one.index === index));
  const input = lengths.reduce((sum, one) => sum + (one?.durationSeconds ?? Number.NaN), 0);
  return Number.isNaN(input) ? null : sent + input;

  function ofVideo(): boolean {
    return request.media.some(({ kind }) => kind === 'video');
  }
}
