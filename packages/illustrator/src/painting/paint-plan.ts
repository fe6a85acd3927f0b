import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Area, Base, Plan } from '../composition/plan.ts';
import type { Brush, Picturesque } from '../model/stage.ts';
import { paintScene } from './paint-scene.ts';
import { type Grain, layOutGrain, paintOnGrain } from './texture.ts';

interface PlanMaterial {
  readonly width: number;
  readonly height: number;
  readonly references?: readonly Picturesque[];
  /** The grain of the surface for the painted part. */
  readonly grain?: Grain | null;
  /** The picture from which the plan's base comes. */
  readonly parentPicture?: Picturesque | null;
  /** Mask: white = change; a luminance of half and more counts as white. */
  readonly mask?: Picturesque | null;
}

/**
 * Paints the still of a plan.
 * @throws RangeError when the plan builds on a parent's picture or a mask that is not given.
 */
export function paintPlan(plan: Plan, material: PlanMaterial): Canvas {
  const canvas = plan.kind === 'grid' ? paintGrid(plan, material) : paintSingle(plan, material);
  if (material.grain != null) paintOnGrain(canvas, layOutGrain(material.grain, canvas));
  if (plan.base === null) return canvas;
  if (material.parentPicture == null) throw new RangeError('expected the picture that this one builds on, found none');
  const base = preparedBase(plan.base, material.parentPicture, material);
  canvas.getContext('2d').drawImage(base, 0, 0);
  return canvas;
}

function paintSingle(plan: Plan, { width, height, references = [] }: PlanMaterial): Canvas {
  const [scene] = plan.scenes;
  if (scene === undefined) throw new RangeError('expected a plan with a scene, found none');
  return paintScene(scene, { width, height, view: plan.view, references });
}

/** Paints four pictures edge to edge; with odd sides, the first row and column get the smaller half. */
function paintGrid(plan: Plan, { width, height, references = [] }: PlanMaterial): Canvas {
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  const left = Math.floor(width / 2);
  const top = Math.floor(height / 2);
  plan.scenes.forEach((scene, tile) => {
    const right = tile % 2 === 1;
    const lower = tile >= 2;
    const sides = { width: Math.max(1, right ? width - left : left), height: Math.max(1, lower ? height - top : top) };
    brush.drawImage(paintScene(scene, { ...sides, references }), right ? left : 0, lower ? top : 0);
  });
  return canvas;
}

/**
 * Returns the parent's pixels on a transparent canvas: at their position, without the mask's white part, with a soft
 * edge if that is planned.
 */
function preparedBase(base: Base, parent: Picturesque, { width, height, mask }: PlanMaterial): Canvas {
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  const source = pixelBox(base.crop, parent.width, parent.height);
  const shown = pixelBox(base.place, width, height);
  brush.imageSmoothingEnabled = source.width !== shown.width || source.height !== shown.height;
  brush.imageSmoothingQuality = 'high';
  brush.drawImage(parent, source.x, source.y, source.width, source.height, shown.x, shown.y, shown.width, shown.height);
  if (base.feather > 0)
    softenEdges(brush, shown, base.feather * Math.min(shown.width, shown.height), { width, height });
  if (base.masked) {
    if (mask == null) throw new RangeError('expected a mask, found none');
    cutOut(brush, mask, width, height);
  }
  return canvas;
}

interface PixelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns an area in pixels. Rounds edges, not sides: equal areas of equal pictures are equal pixels. */
function pixelBox(area: Area, width: number, height: number): PixelBox {
  const x = Math.round(area.x * width);
  const y = Math.round(area.y * height);
  return {
    x,
    y,
    width: Math.round((area.x + area.width) * width) - x,
    height: Math.round((area.y + area.height) * height) - y,
  };
}

/** Makes the edges of a box transparent over `depth` pixels, except those that lie on the canvas's own edge. */
function softenEdges(brush: Brush, box: PixelBox, depth: number, canvas: { width: number; height: number }): void {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  brush.globalCompositeOperation = 'destination-out';
  if (box.x > 0) fade(brush, { ...box, width: depth }, 'left');
  if (right < canvas.width) fade(brush, { ...box, x: right - depth, width: depth }, 'right');
  if (box.y > 0) fade(brush, { ...box, height: depth }, 'top');
  if (bottom < canvas.height) fade(brush, { ...box, y: bottom - depth, height: depth }, 'bottom');
  brush.globalCompositeOperation = 'source-over';
}

/** Erases a box: fully at one side, not at all at the opposite one. */
function fade(brush: Brush, { x, y, width, height }: PixelBox, from: 'left' | 'right' | 'top' | 'bottom'): void {
  const [startX, startY] = [from === 'right' ? x + width : x, from === 'bottom' ? y + height : y];
  const [across, down] = { left: [width, 0], right: [-width, 0], top: [0, height], bottom: [0, -height] }[from] as [
    number,
    number,
  ];
  const gradient = brush.createLinearGradient(startX, startY, startX + across, startY + down);
  gradient.addColorStop(0, 'rgba(0, 0, 0, 1)');
  gradient.addColorStop(1, 'rgba(0, 0, 0, 0)');
  brush.fillStyle = gradient;
  brush.fillRect(x, y, width, height);
}

/** Makes the mask's white part transparent; every other pixel stays exactly as it is. */
function cutOut(brush: Brush, mask: Picturesque, width: number, height: number): void {
  const scaled = createCanvas(width, height);
  const scaledBrush = scaled.getContext('2d');
  scaledBrush.fillStyle = '#000000';
  scaledBrush.fillRect(0, 0, width, height);
  scaledBrush.drawImage(mask, 0, 0, width, height);
  const image = scaledBrush.getImageData(0, 0, width, height);
  const { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    const luminance =
      0.2126 * (data[at] as number) + 0.7152 * (data[at + 1] as number) + 0.0722 * (data[at + 2] as number);
    data[at + 3] = luminance >= 127.5 ? 255 : 0;
  }
  scaledBrush.putImageData(image, 0, 0);
  brush.globalCompositeOperation = 'destination-out';
  brush.drawImage(scaled, 0, 0);
  brush.globalCompositeOperation = 'source-over';
}
