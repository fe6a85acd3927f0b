import type { JsonObject } from '@darkroom-service/contract';
import { type Model, readRatio, readSize, type Size } from '@darkroom-service/contract/catalog';
import { resolveRequest } from '@darkroom-service/darkroom/kernel-views';

/** Fields of a model that give, or approximate, the pixels of OpenAI's `size`. */
interface MappedSize {
  readonly fields: JsonObject;
  /** Whether the output has exactly these pixels. */
  readonly isExact: boolean;
}

/**
 * Maps `WIDTHxHEIGHT` to the fields that the model has: `size`, `width` and `height`, or the nearest aspect ratio and
 * the resolution with the nearest number of pixels.
 * @returns null if the model has none of them, or the text names no pixels
 */
export function mapSize(model: Model, text: string): MappedSize | null {
  const wanted = readSize(text);
  if (wanted === null) return null;
  const known = mappedSizes.get(model) ?? new Map<string, MappedSize | null>();
  mappedSizes.set(model, known);
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const mapped = findSize(model, wanted);
  known.set(text, mapped);
  return mapped;
}

/** Mapped sizes by model: a model is read once, and callers repeat few of its sizes. */
const mappedSizes = new WeakMap<Model, Map<string, MappedSize | null>>();
const MOST_KNOWN = 64;

function findSize(model: Model, wanted: Size): MappedSize | null {
  const { width, height } = wanted;
  const exact: JsonObject[] = [];
  if ('size' in model.parameters) exact.push({ size: `${width}x${height}` }, { size: `${width}*${height}` });
  if ('width' in model.parameters && 'height' in model.parameters) exact.push({ width, height });
  for (const fields of exact) if (outputOf(model, fields) !== null) return { fields, isExact: true };
  return nearestOf(model, wanted, candidates(model, wanted));
}

/** Returns the output that the model plans for these fields; null if it refuses them. */
export function outputOf(model: Model, fields: JsonObject): Size | null {
  const resolution = resolveRequest(model, fields, { purpose: 'quote' });
  return resolution.ok ? resolution.request.output : null;
}

/** Returns the nearest candidate. The first of equally near ones wins: entries list the smaller resolutions first. */
function nearestOf(model: Model, wanted: Size, fieldSets: readonly JsonObject[]): MappedSize | null {
  let best: { readonly fields: JsonObject; readonly output: Size; readonly distance: number } | null = null;
  for (const fields of fieldSets) {
    const output = outputOf(model, fields);
    if (output === null) continue;
    const distance = distanceBetween(output, wanted);
    if (best === null || distance < best.distance) best = { fields, output, distance };
  }
  if (best === null) return null;
  const { output } = best;
  return { fields: best.fields, isExact: output.width === wanted.width && output.height === wanted.height };
}

/** Returns the distance of two sizes: a wrong shape is worse than a wrong number of pixels. */
function distanceBetween(found: Size, wanted: Size): number {
  const shape = Math.abs(Math.log(found.width / found.height / (wanted.width / wanted.height)));
  const area = Math.abs(Math.log((found.width * found.height) / (wanted.width * wanted.height)));
  return shape * 4 + area;
}

function candidates(model: Model, wanted: Size): JsonObject[] {
  const ratios = nearestRatios(model, wanted).map((ratio) => ({ aspect_ratio: ratio }));
  const tiers = valuesOf(model, 'resolution').map((tier) => ({ resolution: tier }));
  const ratioSets: JsonObject[] = ratios.length > 0 ? ratios : [{}];
  const tierSets: JsonObject[] = tiers.length > 0 ? tiers : [{}];
  const sets = ratioSets.flatMap((ratio) => tierSets.map((tier) => ({ ...ratio, ...tier })));
  return sets.filter((set) => Object.keys(set).length > 0);
}

/** Returns the nearest ratio that the model lists, or the exact one if it accepts any. */
export function nearestRatios(model: Model, { width, height }: Size): string[] {
  if (!('aspect_ratio' in model.parameters)) return [];
  const wanted = width / height;
  const distance = (text: string) => Math.abs(Math.log((readRatio(text) ?? 1e6) / wanted));
  const listed = valuesOf(model, 'aspect_ratio').filter((text) => readRatio(text) !== null);
  if (listed.length === 0) {
    const divisor = greatestDivisor(width, height);
    return [`${width / divisor}:${height / divisor}`];
  }
  const least = Math.min(...listed.map(distance));
  return listed.filter((text) => distance(text) - least < 1e-9);
}

/** Returns the texts that a field of the model accepts; none if it has no such list. */
export function valuesOf(model: Model, name: string): string[] {
  const values = (model.parameters[name] as { readonly enum?: readonly unknown[] } | undefined)?.enum ?? [];
  return values.filter((value): value is string => typeof value === 'string');
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
