import type { Fault } from '@darkroom-service/contract';
import type { FieldLimit, MediaMeasurement, Model, ResolvedRequest } from '@darkroom-service/contract/catalog';
import { checkConstraints } from './check-request.ts';
import { paramOf } from './media-fields.ts';
import { completeRequest } from './resolve-request.ts';

const NONE_REFUSED: ReadonlySet<string> = new Set();

/**
 * Applies the measurements of its media to a request: recomputes derived values and output, and reports media that
 * exceed the entry's limits. An action keeps its plan, since it works on its parent.
 */
export function measureRequest(
  model: Model,
  request: ResolvedRequest,
  measurements: readonly MediaMeasurement[],
): { request: ResolvedRequest; faults: Fault[] } {
  const faults = checkLimits(model, measurements);
  if (request.action !== null || measurements.length === 0) return { request, faults };
  const { fields: set } = model.compiled;
  const measured = completeRequest(model, set, { ...request.values }, request.media, measurements);
  checkConstraints(
    model.constraints,
    { set, values: measured.values, derived: measured.derived, refused: NONE_REFUSED },
    faults,
  );
  return { request: measured, faults };
}

function checkLimits(model: Model, measurements: readonly MediaMeasurement[]): Fault[] {
  const faults: Fault[] = [];
  const totals = new Map<string, number>();
  for (const measurement of measurements) {
    const { field, durationSeconds: seconds } = measurement;
    const limit = model.limits[field] ?? {};
    const finding = findingOf(measurement, limit);
    if (finding !== null)
      faults.push({ param: paramOf(model, measurement), code: 'invalid_reference', message: finding });
    if (seconds !== null) totals.set(field, (totals.get(field) ?? 0) + seconds);
  }
  for (const [field, total] of totals) {
    const most = model.limits[field]?.max_total_seconds;
    if (most !== undefined && total > most + TOLERANCE) {
      faults.push({
        param: field,
        code: 'invalid_reference',
        message: `${field} last ${formatSeconds(total)} s together; the maximum is ${most} s.`,
      });
    }
  }
  return faults;
}

/** Sound tracks make a video slightly longer than its pictures. */
const TOLERANCE = 0.05;

function findingOf({ width, height, durationSeconds: seconds }: MediaMeasurement, limit: FieldLimit): string | null {
  if (seconds !== null && limit.max_seconds !== undefined && seconds > limit.max_seconds + TOLERANCE) {
    return `The length is ${formatSeconds(seconds)} s; the maximum is ${limit.max_seconds} s.`;
  }
  if (seconds !== null && limit.min_seconds !== undefined && seconds < limit.min_seconds - TOLERANCE) {
    return `The length is ${formatSeconds(seconds)} s; the minimum is ${limit.min_seconds} s.`;
  }
  if (width === null || height === null) return null;
  if (limit.max_megapixels !== undefined && width * height > limit.max_megapixels * 1_048_576) {
    return `The size is ${width}x${height}; the maximum is ${limit.max_megapixels} megapixels.`;
  }
  if (limit.min_side !== undefined && Math.min(width, height) < limit.min_side) {
    return `The size is ${width}x${height}; each side must have at least ${limit.min_side} pixels.`;
  }
  if (limit.max_side !== undefined && Math.max(width, height) > limit.max_side) {
    return `The size is ${width}x${height}; each side can have at most ${limit.max_side} pixels.`;
  }
  return null;
}

function formatSeconds(seconds: number): string {
  return String(Number(seconds.toFixed(2)));
}
