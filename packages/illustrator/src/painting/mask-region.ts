import { createCanvas } from '@napi-rs/canvas';
import type { Area } from '../composition/plan.ts';
import type { Picturesque } from '../model/stage.ts';

/** Sides in pixels of the copy that is searched. */
const LOOKED_AT = 128;

/** Returns the bounding box of a mask's white part, in fractions of its sides; null if nothing is white. */
export function regionOf(mask: Picturesque): Area | null {
  const canvas = createCanvas(LOOKED_AT, LOOKED_AT);
  const brush = canvas.getContext('2d');
  brush.fillStyle = '#000000';
  brush.fillRect(0, 0, LOOKED_AT, LOOKED_AT);
  brush.drawImage(mask, 0, 0, LOOKED_AT, LOOKED_AT);
  const { data } = brush.getImageData(0, 0, LOOKED_AT, LOOKED_AT);
  let [left, top, right, bottom] = [LOOKED_AT, LOOKED_AT, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const luminance = 0.2126 * data[at]! + 0.7152 * data[at + 1]! + 0.0722 * data[at + 2]!;
    if (luminance < 127.5) continue;
    const [x, y] = [(at / 4) % LOOKED_AT, Math.floor(at / 4 / LOOKED_AT)];
    left = Math.min(left, x);
    right = Math.max(right, x + 1);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + 1);
  }
  if (right <= left) return null;
  return {
    x: left / LOOKED_AT,
    y: top / LOOKED_AT,
    width: (right - left) / LOOKED_AT,
    height: (bottom - top) / LOOKED_AT,
  };
}
