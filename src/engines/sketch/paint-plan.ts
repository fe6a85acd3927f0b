import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { paintScene } from './paint-scene.ts';
import type { Area, Base, Plan } from './plan.ts';
import type { Brush, Picturesque } from './stage.ts';
import { type Grain, layOutGrain, paintOnGrain } from './texture.ts';

export interface PlanMaterial {
  readonly width: number;
  readonly height: number;
  readonly references?: readonly Picturesque[];
  /** What the painted part looks as if painted on. */
  readonly grain?: Grain | null;
  /** The picture that the plan's base is taken from. */
  readonly parentPicture?: Picturesque | null;
  /** White = change; luminance of half and more counts as white. */
  readonly mask?: Picturesque | null;
}

/**
 * Paints a still as planned.
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

/** Four pictures edge to edge; sides that are odd give the first row and column the smaller half. */
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

/** The parent's pixels on a clear canvas: where they stand, without what the mask gives away, with a soft edge where that was planned. */
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

/** Edges are rounded, not sides: equal areas of equal pictures are equal pixels. */
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

/** Lets each edge fade that does not lie on the picture's own edge. */
function softenEdges(brush: Brush, box: PixelBox, depth: number, canvas: { width: number; height: number }): void {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const fade = (x0: number, y0: number, x1: number, y1: number, x: number, y: number, w: number, h: number): void => {
    const gradient = brush.createLinearGradient(x0, y0, x1, y1);
    gradient.addColorStop(0, 'rgba(0, 0, 0, 1)');
    gradient.addColorStop(1, 'rgba(0, 0, 0, 0)');
    brush.fillStyle = gradient;
    brush.fillRect(x, y, w, h);
  };
  brush.globalCompositeOperation = 'destination-out';
  if (box.x > 0) fade(box.x, 0, box.x + depth, 0, box.x, box.y, depth, box.height);
  if (right < canvas.width) fade(right, 0, right - depth, 0, right - depth, box.y, depth, box.height);
  if (box.y > 0) fade(0, box.y, 0, box.y + depth, box.x, box.y, box.width, depth);
  if (bottom < canvas.height) fade(0, bottom, 0, bottom - depth, box.x, bottom - depth, box.width, depth);
  brush.globalCompositeOperation = 'source-over';
}

/** Makes clear what the mask shows white; every other pixel stays exactly as it is. */
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
