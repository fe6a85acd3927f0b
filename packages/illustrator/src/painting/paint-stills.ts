import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Layer } from '../model/layer.ts';
import type { Box, Brush, Stage } from '../model/stage.ts';
import { findOccupiedBox } from './occupied-box.ts';

/** The parts of a film that never move, painted once. */
export interface Still {
  readonly canvas: Canvas;
  /** World point at the upper left corner of the still. */
  readonly left: number;
  readonly top: number;
  /** World y from which on it hides everything behind it; infinite if it does not. */
  readonly hidesFrom: number;
}

/**
 * Paints neighbouring layers that neither move nor differ in depth on one canvas. It has only the occupied part, mostly
 * a band about the horizon: the rest would only cost memory and time. Null if they are empty.
 */
export function paintStill(stage: Stage, layers: readonly Layer[]): Still | null {
  const occupied = findOccupied(stage, layers);
  if (occupied === null) return null;
  const { unit, corner } = stage;
  // On whole pixels of a camera at rest, so that layers that do not follow the camera are copied instead of blended.
  const left = corner.x + Math.floor((occupied.left - corner.x) * unit) / unit;
  const top = corner.y + Math.floor((occupied.top - corner.y) * unit) / unit;
  const canvas = createCanvas(
    Math.max(1, Math.ceil((occupied.right - left) * unit)),
    Math.max(1, Math.ceil((occupied.bottom - top) * unit)),
  );
  const brush = canvas.getContext('2d');
  brush.setTransform(unit, 0, 0, unit, -left * unit, -top * unit);
  for (const layer of layers) layer.draw(brush, 0, stage.seen);
  return { canvas, left, top, hidesFrom: occupied.hidesFrom };
}

export function drawStill(brush: Brush, { unit }: Stage, { canvas, left, top }: Still): void {
  brush.drawImage(canvas, left, top, canvas.width / unit, canvas.height / unit);
}

/** Rows of the small copy on which the occupied part is found. */
const COPY_ROWS = 96;

interface Occupied extends Box {
  readonly hidesFrom: number;
}

function findOccupied({ seen }: Stage, layers: readonly Layer[]): Occupied | null {
  const scale = COPY_ROWS / (seen.bottom - seen.top);
  const width = Math.max(1, Math.ceil((seen.right - seen.left) * scale));
  const brush = createCanvas(width, COPY_ROWS).getContext('2d');
  brush.setTransform(scale, 0, 0, scale, -seen.left * scale, -seen.top * scale);
  for (const layer of layers) layer.draw(brush, 0, seen);
  const { data } = brush.getImageData(0, 0, width, COPY_ROWS);
  const box = findOccupiedBox(data, { width, height: COPY_ROWS });
  if (box === null) return null;
  const open = lastOpenRow(data, width);
  return {
    left: seen.left + box.left / scale,
    top: seen.top + box.top / scale,
    right: Math.min(seen.right, seen.left + box.right / scale),
    bottom: Math.min(seen.bottom, seen.top + box.bottom / scale),
    hidesFrom: open >= COPY_ROWS - 3 ? Number.POSITIVE_INFINITY : seen.top + (open + 2) / scale,
  };
}

/**
 * Returns the last row with a transparent pixel. The visible part ends somewhere within the copy's last row and column,
 * which do not count.
 */
function lastOpenRow(data: Uint8ClampedArray, width: number): number {
  for (let row = COPY_ROWS - 2; row >= 0; row--)
    for (let column = 0; column < width - 1; column++) if (data[(row * width + column) * 4 + 3]! < 255) return row;
  return -1;
}
