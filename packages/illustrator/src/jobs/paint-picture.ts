import type { Canvas } from '@napi-rs/canvas';
import { putInRegion } from '../composition/change-region.ts';
import { CALM } from '../composition/choose-weather.ts';
import { lightOfPictures } from '../composition/light-of-pictures.ts';
import { type Base, type CompositionOptions, type Plan, planFromJson, planPicture } from '../composition/plan.ts';
import { applyAction } from '../composition/sketch-actions.ts';
import { regionOf } from '../painting/mask-region.ts';
import { paintPlan } from '../painting/paint-plan.ts';
import { smearRegion } from '../painting/smear-region.ts';
import { type AssignedMedia, assignMedia } from './assign-media.ts';
import { isStillFormat, writeStill } from './encode-still.ts';
import { explainPlan } from './explain-plan.ts';
import { loadGrain, loadReference, loadWhole, readColours } from './load-references.ts';
import { drawTestMark } from './mark-test.ts';
import { paintFilm } from './paint-film.ts';
import { PaintFault, type PaintJob, type PaintMedia, type PaintResult } from './paint-job.ts';

const WHOLE = { x: 0, y: 0, width: 1, height: 1 } as const;
const KEPT_BY_MASK: Base = { crop: WHOLE, place: WHOLE, feather: 0, masked: true };

/** Distance from the lower right corner within which the mark of a test key is, as a share of the shorter side. */
const MARKED_PART = 0.14;

/**
 * Runs one job: plans the picture, paints it and writes the file. The same job gives the same bytes.
 * @param onProgress called with 0 to 100.
 * @throws PaintFault when it cannot be done.
 */
export async function paintPicture(job: PaintJob, onProgress: (progress: number) => void): Promise<PaintResult> {
  const { width, height, format } = job.output;
  const media = assignMedia(job.media, !isStillFormat(format));
  const { mask, style, shown } = media;
  const parent = job.parent === null ? null : await loadWhole(job.parent.picture);
  const plan = parent === null ? await planCreate(job, media) : await planFollowUp(job, parent, media);
  onProgress(5);
  if (!isStillFormat(format)) {
    await paintFilm(job, media, plan.scenes[0]!, onProgress);
    return resultOf(job, plan);
  }
  const base = parent ?? (plan.base === null ? null : await loadWhole(shown[0]!));
  const canvas = paintPlan(plan, {
    width,
    height,
    references: await referencesOf(plan, media, base === parent ? null : base),
    grain: style === null ? null : await loadGrain(style),
    parentPicture: base,
    mask: mask === null ? null : await loadWhole(mask),
  });
  if (job.testMark && !(plan.base?.masked === true && base !== null && sameCorner(canvas, base))) drawTestMark(canvas);
  onProgress(60);
  await writeStill(job.path, { data: canvas.data(), width, height }, format);
  return resultOf(job, plan);
}

/** Loads the references. The picture of a mask is not shown as one: it is the backdrop of the figures put into it. */
async function referencesOf(plan: Plan, { shown, mask }: AssignedMedia, base: Canvas | null): Promise<Canvas[]> {
  const others = await Promise.all((base === null ? shown : shown.slice(1)).map(loadReference));
  if (base === null || mask === null || plan.scenes[0]?.referenceUse !== 'backdrop') return others;
  return [smearRegion(base, await loadWhole(mask)), ...others];
}

function resultOf(job: PaintJob, plan: Plan): PaintResult {
  return { keep: plan, ...(job.explain === true ? { explanation: explainPlan(plan, job) } : {}) };
}

/** Plans a create. A mask marks the part of the first picture that is painted again. */
async function planCreate(job: PaintJob, media: AssignedMedia): Promise<Plan> {
  if (job.action !== null)
    throw new PaintFault('impossible', `expected the picture that '${job.action}' works on, found none`);
  const { mask, shown } = media;
  const wishes = readWishes(job);
  const plan = planPicture({
    ...wishes,
    referenceUse: goesOnFrom(media) ? 'backdrop' : null,
    references: seenOf(media).length,
    ...(await lentBy(media)),
  });
  if (mask === null || shown.length === 0) return plan;
  const masked = { ...plan, base: KEPT_BY_MASK, pure: false };
  const region = regionOf(await loadWhole(mask));
  const scene = plan.scenes[0]!;
  const view = { ...WHOLE, frameRatio: job.output.width / job.output.height };
  const put = region === null ? null : putInRegion({ ...scene, figures: [] }, wishes.prompt, job.seed, view, region);
  if (put === null || plan.kind === 'grid') return masked;
  // The figures stand in the picture itself, from which the old content of the region is removed.
  return { ...masked, scenes: [{ ...put, growth: [], shore: null, weather: CALM, referenceUse: 'backdrop' }] };
}

function seenOf({ first, last, style, shown }: AssignedMedia): PaintMedia[] {
  return [first, last, style, ...shown].filter((medium) => medium !== null);
}

async function lentBy(media: AssignedMedia): Promise<Pick<CompositionOptions, 'colours' | 'light'>> {
  const colours = (await Promise.all(seenOf(media).map(readColours))).flat();
  return { colours, light: lightOfPictures(colours) };
}

/** Returns whether a given first frame or film is the backdrop of the new film. */
function goesOnFrom({ first, shown }: AssignedMedia): boolean {
  return first !== null || shown[0]?.kind === 'video';
}

async function planFollowUp(job: PaintJob, picture: Canvas, media: AssignedMedia): Promise<Plan> {
  const parent = job.parent!;
  return applyAction({
    action: job.action!,
    values: job.values,
    seed: job.seed,
    parent:
      parent.keep === null
        ? planPicture(readWishes({ values: parent.values, seed: parent.seed, output: parent }))
        : planFromJson(parent.keep),
    parentSize: { width: picture.width, height: picture.height },
    output: { width: job.output.width, height: job.output.height },
    lent: await lentBy(media),
    hasMask: media.mask !== null,
    region: media.mask === null ? null : regionOf(await loadWhole(media.mask)),
  });
}

/** Reads the fields that the illustrator understands, whatever model the order names. */
function readWishes({
  values,
  seed,
  output,
}: {
  values: PaintJob['values'];
  seed: number;
  output: { tiles: 4 | null };
}): CompositionOptions {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : null);
  return {
    prompt: text('prompt') ?? '',
    negativePrompt: text('negative_prompt'),
    seed,
    style: text('style'),
    camera: text('camera'),
    motion: typeof values.motion === 'number' ? values.motion : text('motion'),
    tiles: output.tiles,
  };
}

/**
 * Returns whether the corner with the TEST mark is unchanged: then the parent's mark is still there, and a second one
 * would darken it.
 */
function sameCorner(canvas: Canvas, parent: Canvas): boolean {
  const { width, height } = canvas;
  if (parent.width !== width || parent.height !== height) return false;
  const side = Math.ceil(Math.min(width, height) * MARKED_PART);
  const [here, there] = [canvas, parent].map(
    (each) => each.getContext('2d').getImageData(width - side, height - side, side, side).data,
  );
  return Buffer.from(here!).equals(Buffer.from(there!));
}
