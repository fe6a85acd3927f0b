import { createCanvas } from '@napi-rs/canvas';
import type { Stage } from '../../model/stage.ts';
import type { Finish } from './finish.ts';

const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
const STEP = 255 / 8;

/** Creates the pixel art finish: large square pixels in few colours, dithered. */
export function finishPixelArt(_stage: Stage, shown: { readonly width: number; readonly height: number }): Finish {
  const side = Math.max(2, Math.round(Math.min(shown.width, shown.height) / 112));
  const width = Math.max(1, Math.ceil(shown.width / side));
  const height = Math.max(1, Math.ceil(shown.height / side));
  const small = createCanvas(width, height);
  const smallBrush = small.getContext('2d');
  smallBrush.imageSmoothingQuality = 'medium';
  return (painted, onto) => {
    smallBrush.drawImage(painted, 0, 0, shown.width / side, shown.height / side);
    const image = smallBrush.getImageData(0, 0, width, height);
    reduceColours(image.data, width);
    smallBrush.putImageData(image, 0, 0);
    const brush = onto.getContext('2d');
    brush.save();
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.imageSmoothingEnabled = false;
    brush.drawImage(small, 0, 0, width * side, height * side);
    brush.restore();
  };
}

function reduceColours(data: Uint8ClampedArray, width: number): void {
  for (let at = 0; at < data.length / 4; at++) {
    const threshold = (BAYER[(Math.floor(at / width) % 4) * 4 + ((at % width) % 4)]! / 16 - 0.47) * STEP * 0.34;
    const mean = (data[at * 4]! + data[at * 4 + 1]! + data[at * 4 + 2]!) / 3;
    for (let part = at * 4; part < at * 4 + 3; part++) {
      const lively = mean + (data[part]! - mean) * 1.2;
      data[part] = Math.round((lively + threshold) / STEP) * STEP;
    }
    data[at * 4 + 3] = 255;
  }
}
