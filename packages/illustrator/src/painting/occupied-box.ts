import type { Canvas } from '@napi-rs/canvas';

/** A box in whole pixels; `right` and `bottom` are the first ones beyond. */
interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Returns the part of a picture that is not transparent, plus one pixel on all sides within the picture; null if all of
 * it is.
 */
export function findOccupiedBox(
  data: Uint8ClampedArray,
  { width, height }: Pick<Canvas, 'width' | 'height'>,
): PixelBox | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 3; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      if (data[at] === 0) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  }
  if (bottom < 0) return null;
  return {
    left: Math.max(0, left - 1),
    top: Math.max(0, top - 1),
    right: Math.min(width, right + 2),
    bottom: Math.min(height, bottom + 2),
  };
}
