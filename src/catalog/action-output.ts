import type { JsonObject } from '@darkroom-service/contract';
import {
  ACTIONS,
  type ActionName,
  type Model,
  type OutputPlan,
  type ResolvedRequest,
  type Size,
} from '@darkroom-service/contract/catalog';

/** The task that an action works on, as delivered. */
export interface ActionParent {
  readonly request: ResolvedRequest;
  /** Whether the output is a 2×2 grid. */
  readonly grid: boolean;
  readonly width: number;
  readonly height: number;
}

/** Returns the input of an action: the parent's request and its output, or the planned output. */
export function actionParent(
  request: ResolvedRequest,
  output: { readonly tiles: number | null; readonly width: number | null; readonly height: number | null },
): ActionParent {
  return {
    request,
    grid: output.tiles !== null,
    width: output.width ?? request.output.width,
    height: output.height ?? request.output.height,
  };
}

/** The maximum side of a picture that grows. */
export const LARGEST_SIDE = 4096;
const STEP = 8;

/**
 * Plans the output of an action. A grid has the size of one picture of its model, so an upscaled tile and a variation
 * have the grid's own size. `upscale_*` doubles the sides and `pan` adds half a side, both up to 4096; `make_square`
 * uses the longer side; all other actions keep the size.
 */
export function planActionOutput(
  model: Model,
  action: ActionName,
  values: JsonObject,
  parent: ActionParent,
): OutputPlan {
  const { gives } = ACTIONS[action];
  const grid = gives === 'parent' ? parent.grid : gives === 'grid';
  const size = action === 'reroll' ? parent.request.output : sizeAfter(action, values, parent);
  return {
    format: parent.request.output.format,
    width: size.width,
    height: size.height,
    durationSeconds: null,
    fps: null,
    audio: false,
    tiles: grid ? (model.output?.tiles ?? 4) : null,
  };
}

/** Tells whether an action would change nothing about the parent and only cost money. */
export function changesNothing(action: ActionName, parent: Pick<ActionParent, 'width' | 'height'>): boolean {
  const { width, height } = parent;
  if (action === 'make_square') return width === height;
  if (action === 'upscale_subtle' || action === 'upscale_creative') return Math.max(width, height) >= LARGEST_SIDE;
  return action === 'pan' && Math.min(width, height) >= LARGEST_SIDE;
}

/** Tells whether a pan can grow the picture in its direction. */
export function canGrow(values: JsonObject, { width, height }: Pick<ActionParent, 'width' | 'height'>): boolean {
  return (isVertical(values) ? height : width) < LARGEST_SIDE;
}

function isVertical(values: JsonObject): boolean {
  return values.direction === 'up' || values.direction === 'down';
}

function sizeAfter(action: ActionName, values: JsonObject, { width, height }: ActionParent): Size {
  switch (action) {
    case 'upscale_subtle':
    case 'upscale_creative': {
      const factor = Math.min(2, LARGEST_SIDE / Math.max(width, height));
      return { width: Math.max(width, toStep(width * factor)), height: Math.max(height, toStep(height * factor)) };
    }
    case 'pan':
      return isVertical(values) ? { width, height: grown(height) } : { width: grown(width), height };
    case 'make_square':
      return { width: Math.max(width, height), height: Math.max(width, height) };
    default:
      return { width, height };
  }
}

function grown(side: number): number {
  return Math.max(side, Math.min(LARGEST_SIDE, toStep(side * 1.5)));
}

function toStep(side: number): number {
  return Math.min(LARGEST_SIDE, Math.round(side / STEP) * STEP);
}
