import type { OutputPlan } from '@darkroom-service/contract/catalog';
import { type Area, isRetryable, type Sides } from '@darkroom-service/media';
import { EngineError, type Order, type OrderMedia } from '../engine.ts';
import type { PictureTools } from '../picture-tools.ts';
import { bytesOf } from '../upstream/bytes-of.ts';

type Plan = Pick<OutputPlan, 'width' | 'height' | 'format'>;

/**
 * Edits the pictures of one order, each in a media process. @throws EngineError `busy` if this machine cannot do it now
 */
export interface GridPictures {
  /** Crops a part of a picture (in fractions of its sides) and resizes it to a PNG. */
  cutOut(picture: OrderMedia, crop: Area, size: Sides): Promise<Uint8Array>;
  /**
   * Places the picture on a canvas of the output's size. The rest is filled with the picture's own colours, strongly
   * blurred, as a start for the upstream.
   */
  placeOnCanvas(picture: OrderMedia, area: Area, size: Sides): Promise<Uint8Array>;
  /**
   * Makes the mask: white where the upstream generates, black where the picture stays. Without the customer's mask,
   * everything around the picture is white.
   */
  maskOf(mask: OrderMedia | null, area: Area, size: Sides): Promise<Uint8Array>;
  /** Overlays the original picture where the mask is black. */
  overlayOriginal(made: Uint8Array, canvas: Uint8Array, mask: Uint8Array, plan: Plan): Promise<Uint8Array>;
  /** Combines four pictures: top left, top right, bottom left, bottom right. */
  composeGrid(pictures: readonly Uint8Array[], plan: Plan): Promise<Uint8Array>;
  /** Resizes and encodes a picture as promised. */
  finish(picture: Uint8Array, plan: Plan): Promise<Uint8Array>;
  isPicture(bytes: Uint8Array): Promise<boolean>;
}

export function createGridPictures({ edit }: PictureTools, { keyId, taskId }: Order): GridPictures {
  const call = { owner: keyId ?? taskId };
  return {
    cutOut: async (picture, crop, size) => waiting(edit('cutOut', [await bytesOf(picture), crop, size], call)),
    placeOnCanvas: async (picture, area, size) =>
      waiting(edit('placeOnCanvas', [await bytesOf(picture), area, size], call)),
    maskOf: async (mask, area, size) =>
      waiting(edit('maskOf', [mask === null ? null : await bytesOf(mask), area, size], call)),
    overlayOriginal: (made, canvas, mask, plan) =>
      waiting(edit('overlayOriginal', [made, canvas, mask, sizeAndFormat(plan)], call)),
    composeGrid: (pictures, plan) => waiting(edit('composeGrid', [pictures, sizeAndFormat(plan)], call)),
    finish: (picture, plan) => waiting(edit('finishPicture', [picture, sizeAndFormat(plan)], call)),
    isPicture: (bytes) => waiting(edit('isPicture', [bytes], call)),
  };
}

function sizeAndFormat({ width, height, format }: Plan): Plan {
  return { width, height, format };
}

/** Converts a fault of this machine to `busy`, so that the work is done at the next check. */
async function waiting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!isRetryable(cause)) throw cause;
    throw new EngineError('busy', 'pictures cannot be worked on right now', { took: 'yes', cause });
  }
}
