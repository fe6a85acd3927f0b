import type { MediaMeasurement, Model, ResolvedRequest, RouteDelivers } from '@darkroom-service/contract/catalog';
import { inputLength } from '../input-length.ts';

/** Tolerance by which a video may be shorter than ordered: in seconds, and as a share of the ordered length. */
const SECONDS = 0.5;
const PART = 0.05;

/** Tells whether a length is less than an ordered one. */
export function isBelowLength(delivered: number, ordered: number): boolean {
  const missing = ordered - delivered;
  return missing > SECONDS && missing > PART * ordered;
}

interface OrderedLength {
  /** The field that determines the length. */
  readonly field: string;
  /** Seconds that were ordered, and that the upstream is expected to deliver for them. */
  readonly ordered: number;
  readonly expected: number;
}

/**
 * Returns the length that an order determines: the one that was sent, or that of the media which the result is as long
 * as. Null if there is none, or it is not judged.
 */
export function orderedLength(
  sent: number | null,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
  {
    model,
    delivers,
  }: { readonly model: Pick<Model, 'output' | 'limits'> | null; readonly delivers: RouteDelivers | undefined },
): OrderedLength | null {
  if (sent !== null) {
    const expected = expectedLength(sent, request, measurements, delivers);
    return expected === null ? null : { field: 'duration', ordered: sent, expected };
  }
  if (model === null || delivers?.seconds === false) return null;
  const given = inputLength(model, request.values, request.media, measurements);
  return given?.known === true ? { field: given.field, ordered: given.most, expected: given.most } : null;
}

/**
 * Returns the length that an upstream is expected to deliver for a sent one, in seconds; null if it is not judged:
 * edits and extensions, unless the route states their length.
 */
function expectedLength(
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
