import type { JsonValue } from '@darkroom-service/contract';
import type { Area, Sides } from '@darkroom-service/media';
import { EngineError, type Order, type OrderMedia } from '../engine.ts';
import { seedOf } from '../upstream/task-numbers.ts';

/** The work for an order of the family: done by an upstream without grids, or without an upstream. */
export type GridJob =
  /** Enlarges a tile of the parent: needs no upstream. */
  | { readonly kind: 'tile'; readonly picture: OrderMedia; readonly crop: Area }
  | ({ readonly kind: 'text' } & Wording)
  /** Uses a source picture. The crop is in fractions of it. */
  | ({ readonly kind: 'image'; readonly picture: OrderMedia; readonly crop: Area; readonly strength: number } & Wording)
  /**
   * The picture is placed in `area` (in fractions of the output); the mask's white part, or the area without picture,
   * is generated.
   */
  | ({
      readonly kind: 'masked';
      readonly picture: OrderMedia;
      readonly area: Area;
      /** The mask; null = everything around the picture. */
      readonly mask: OrderMedia | null;
      readonly strength: number;
    } & Wording);

interface Wording {
  readonly prompt: string;
  readonly negativePrompt: string | null;
  readonly seed: number;
  /** 4 for a grid, else 1. */
  readonly count: 1 | 4;
}

const WHOLE: Area = { x: 0, y: 0, width: 1, height: 1 };
/** Maximum deviation of the result from its source picture, from 0 to 1. */
const STRENGTH = { variation: 0.5, subtle: 0.4, strong: 0.7, masked: 0.9, outside: 0.95 };

/** Tells whether an order belongs to a family with grids and follow-up actions. */
export function isOfFamily({ request }: Pick<Order, 'request'>): boolean {
  return request.output.tiles === 4 || request.action !== null;
}

/**
 * Plans the tiles of a grid order.
 * @throws EngineError with `took: 'no'` if the order cannot be made, for example because a picture it needs is gone
 */
export function planGridJob(order: Order): GridJob {
  const effective = repeated(order);
  const { action, values } = effective.request;
  const wording = wordingOf(order, effective);
  switch (action) {
    case null:
      return { kind: 'text', ...wording };
    case 'upscale':
      return { kind: 'tile', picture: pictureOf(effective), crop: tileArea(values.index) };
    case 'variation':
      return led(effective, wording, STRENGTH.variation, tileArea(values.index));
    case 'vary_subtle':
      return led(effective, wording, STRENGTH.subtle);
    case 'vary_strong':
      return led(effective, wording, STRENGTH.strong);
    case 'remix':
      return remix(effective, wording);
    case 'vary_region':
    case 'zoom_out':
    case 'pan':
    case 'make_square':
      return masked(effective, action, wording);
    default:
      throw refused(`this family has no action ${action}`);
  }
}

/** Returns the order that a reroll repeats: the parent's operation with the parent's inputs. */
function repeated(order: Order): Order {
  if (order.request.action !== 'reroll') return order;
  const { parent } = order;
  if (parent === null) throw refused('the task that is to be made again is no longer there');
  const { action, values } = parent.request;
  if (action !== null && parent.madeFrom === undefined) {
    throw refused('what the parent was made from is no longer there');
  }
  const prompt = order.request.values.prompt ?? values.prompt ?? null;
  const request = { ...order.request, action, values: { ...values, prompt }, derived: parent.request.derived };
  return repeated({
    ...order,
    request,
    media: parent.madeFrom?.media ?? [],
    parent: parent.madeFrom?.parent ?? null,
  });
}

function wordingOf(order: Order, { request }: Order): Wording {
  const { values, derived, action } = request;
  const text = (value: JsonValue | undefined) => (typeof value === 'string' && value.trim() !== '' ? value : null);
  // Only an order with its own seed, and not a repetition of it, uses that seed.
  const own = order.request.action === null && action === null;
  return {
    prompt: text(values.prompt) ?? '',
    negativePrompt: text(values.negative_prompt) ?? text(derived.negative_prompt),
    seed: own ? seedOf(order) : seedOf({ taskId: order.taskId, request: { ...request, values: {} } }),
    count: order.request.output.tiles === 4 ? 4 : 1,
  };
}

function led(order: Order, wording: Wording, strength: number, crop = WHOLE): GridJob {
  return { kind: 'image', picture: pictureOf(order), crop, strength, ...wording };
}

/**
 * Plans a remix. An order has one source picture and a grid has four, so a grid is remixed by its prompt; `subtle`
 * keeps the seed and thereby the compositions.
 */
function remix(order: Order, wording: Wording): GridJob {
  const isSubtle = order.request.values.strength === 'subtle';
  const { parent } = order;
  if (parent?.request.output.tiles !== 4) return led(order, wording, isSubtle ? STRENGTH.subtle : STRENGTH.strong);
  return { kind: 'text', ...wording, ...(isSubtle ? { seed: seedOf(parent) } : {}) };
}

function masked(order: Order, action: string, wording: Wording): GridJob {
  const picture = pictureOf(order);
  if (action === 'vary_region') {
    const mask = order.media.find(({ field }) => field === 'mask_url');
    if (mask === undefined) throw refused('mask_url: the file is not there');
    return { kind: 'masked', picture, area: WHOLE, mask, strength: STRENGTH.masked, ...wording };
  }
  const { output, values } = order.request;
  const sides = { width: picture.width ?? output.width, height: picture.height ?? output.height };
  const area = areaOf(action, values, sides, output);
  return { kind: 'masked', picture, area, mask: null, strength: STRENGTH.outside, ...wording };
}

/** Returns the parent picture's area in a larger view. */
function areaOf(action: string, values: Order['request']['values'], picture: Sides, output: Sides): Area {
  if (action === 'zoom_out') return centred(picture, output, 1 / (typeof values.ratio === 'number' ? values.ratio : 2));
  if (action === 'make_square') return centred(picture, output, 1);
  const { direction } = values;
  const isSideways = direction === 'left' || direction === 'right';
  const scale = isSideways ? output.height / picture.height : output.width / picture.width;
  const width = (picture.width * scale) / output.width;
  const height = (picture.height * scale) / output.height;
  return {
    x: direction === 'left' ? 1 - width : 0,
    y: direction === 'up' ? 1 - height : 0,
    width: Math.min(1, width),
    height: Math.min(1, height),
  };
}

function centred(picture: Sides, output: Sides, share: number): Area {
  const scale = Math.min(output.width / picture.width, output.height / picture.height) * share;
  const width = (picture.width * scale) / output.width;
  const height = (picture.height * scale) / output.height;
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

function pictureOf({ parent }: Order): OrderMedia {
  const picture = parent?.outputs[0];
  if (picture !== undefined) return picture;
  throw refused('the picture that it starts from is no longer there');
}

function tileArea(index: JsonValue | undefined): Area {
  const tile = Number(index) - 1;
  if (![0, 1, 2, 3].includes(tile)) throw refused(`index: expected 1 to 4, found ${String(index)}`);
  return { x: (tile % 2) / 2, y: Math.floor(tile / 2) / 2, width: 0.5, height: 0.5 };
}

function refused(message: string): EngineError {
  return new EngineError('invalid_input', message, { took: 'no' });
}

/**
 * Returns the size at which Stable Diffusion models work for an aspect ratio: at most about one megapixel, with sides
 * in multiples of 16.
 */
export function workSize({ width, height }: Sides): Sides {
  const scale = Math.min(1, Math.sqrt((1024 * 1024) / (width * height)));
  const side = (pixels: number) => Math.max(64, Math.round((pixels * scale) / 16) * 16);
  return { width: side(width), height: side(height) };
}
