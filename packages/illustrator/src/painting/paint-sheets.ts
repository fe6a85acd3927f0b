import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { releasePixels } from '../model/release-pixels.ts';
import type { Brush, Stage } from '../model/stage.ts';
import { findOccupiedBox } from './occupied-box.ts';
import type { Still } from './paint-stills.ts';

/** The longer side, in pixels, at which a picture's shadows are painted; small, because they are soft anyway. */
const SHADOW_SIDE = 512;
const FILM_SHADOW_SIDE = 160;

/** Blur of a shadow, in fractions of the picture's shorter side. */
const SOFTNESS = 0.01;

/** Length of a shadow, in fractions of the picture's shorter side. */
const REACH = 0.04;

/**
 * Function that paints a moving part as a sheet of paper, which casts a shadow on the picture below.
 * @param paintPart paints the part on a canvas with `share` times the sides of the picture.
 */
type LaySheet = (brush: Brush, paintPart: (brush: Brush, share: number) => void) => void;

export function createSheet(stage: Stage): LaySheet {
  const { width, height } = stage;
  const scale = shadowScale(stage, stage.duration > 0 ? FILM_SHADOW_SIDE : SHADOW_SIDE);
  const sides = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  const outline = createCanvas(...sides);
  const shadow = createCanvas(...sides);
  const outlineBrush = outline.getContext('2d');
  return (brush, paintPart) => {
    outlineBrush.save();
    outlineBrush.clearRect(0, 0, ...sides);
    paintPart(outlineBrush, scale);
    outlineBrush.restore();
    throwShadow(shadow, Math.min(...sides), (shadowBrush, x, y) => shadowBrush.drawImage(outline, x, y));
    drawOccupied(brush, shadow, width / shadow.width, height / shadow.height);
    paintPart(brush, 1);
  };
}

/** Draws the occupied part of a canvas, enlarged: most of it is transparent. */
function drawOccupied(brush: Brush, canvas: Canvas, across: number, down: number): void {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const box = findOccupiedBox(data, canvas);
  releasePixels(data);
  if (box === null) return;
  const { left, top } = box;
  const [width, height] = [box.right - left, box.bottom - top];
  brush.drawImage(canvas, left, top, width, height, left * across, top * down, width * across, height * down);
}

/** Returns a part that never moves together with its shadow. */
export function withShadow(stage: Stage, still: Still): Still {
  const margin = Math.ceil(Math.min(stage.width, stage.height) * REACH);
  const width = still.canvas.width + margin * 2;
  const height = still.canvas.height + margin * 2;
  const scale = shadowScale(stage, SHADOW_SIDE);
  const shadow = createCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  throwShadow(shadow, Math.min(stage.width, stage.height) * scale, (brush, x, y) =>
    brush.drawImage(
      still.canvas,
      x + margin * scale,
      y + margin * scale,
      still.canvas.width * scale,
      still.canvas.height * scale,
    ),
  );
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  brush.drawImage(shadow, 0, 0, shadow.width / scale, shadow.height / scale);
  brush.drawImage(still.canvas, margin, margin);
  return { ...still, canvas, left: still.left - margin / stage.unit, top: still.top - margin / stage.unit };
}

function shadowScale({ width, height }: Stage, side: number): number {
  return Math.min(1, side / Math.max(width, height));
}

/** Paints the shadow of a part. @param short the picture's shorter side, in pixels of the shadow. */
function throwShadow(shadow: Canvas, short: number, paint: (brush: Brush, x: number, y: number) => void): void {
  const brush = shadow.getContext('2d');
  brush.clearRect(0, 0, shadow.width, shadow.height);
  const blur = short * SOFTNESS;
  // A smaller blur is soft enough after the enlargement.
  if (blur >= 1) brush.filter = `blur(${blur}px)`;
  paint(brush, short * 0.007, short * 0.012);
  brush.filter = 'none';
  brush.globalCompositeOperation = 'source-in';
  brush.fillStyle = 'rgba(12, 10, 30, 0.6)';
  brush.fillRect(0, 0, shadow.width, shadow.height);
  brush.globalCompositeOperation = 'source-over';
}
