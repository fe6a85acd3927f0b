import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';

/** Pixels of a grain: RGBA, row by row. */
export interface Grain {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Side of one copy of the grain, as a share of the picture's shorter side. */
const TILE_PART = 0.75;
/** Deviation of the grain from middle grey: mean and maximum, so that an edge weighs no more than a stroke. */
const STRENGTH = 16;
const MOST = 40;
const MOST_GAIN = 3;

/**
 * Returns the details of a picture that are finer than its shapes, about middle grey: strokes, weave, paper, noise.
 * Faint grain is amplified, strong grain reduced.
 * @param blurred the same picture without fine details.
 */
export function grainOf(picture: Grain, blurred: Grain): Grain {
  const { data, width, height } = picture;
  let sum = 0;
  for (let at = 0; at < data.length; at++) if (at % 4 !== 3) sum += Math.abs(data[at]! - blurred.data[at]!);
  const gain = Math.min(MOST_GAIN, STRENGTH / Math.max(1e-6, sum / (width * height * 3)));
  const grain = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at++)
    grain[at] =
      at % 4 === 3 ? 255 : Math.round(128 + MOST * Math.tanh(((data[at]! - blurred.data[at]!) * gain) / MOST));
  return { data: grain, width, height };
}

/** Lays out a sheet of grain once for all pictures of one size; copies are mirrored, so that no seam is visible. */
export function layOutGrain({ data, width, height }: Grain, sides: Pick<Canvas, 'width' | 'height'>): Canvas {
  const tile = createCanvas(width, height);
  tile.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
  const sheet = createCanvas(sides.width, sides.height);
  const brush = sheet.getContext('2d');
  const scale = (Math.min(sides.width, sides.height) * TILE_PART) / Math.min(width, height);
  const [across, down] = [width * scale, height * scale];
  for (let column = 0; column * across < sides.width; column++) {
    for (let row = 0; row * down < sides.height; row++) {
      brush.save();
      brush.translate((column + (column % 2)) * across, (row + (row % 2)) * down);
      brush.scale(column % 2 === 0 ? 1 : -1, row % 2 === 0 ? 1 : -1);
      brush.drawImage(tile, 0, 0, across, down);
      brush.restore();
    }
  }
  return sheet;
}

/** Makes a picture look as if it were painted on the sheet. */
export function paintOnGrain(canvas: Canvas, sheet: Canvas): void {
  const brush = canvas.getContext('2d');
  brush.save();
  brush.resetTransform();
  brush.globalCompositeOperation = 'overlay';
  brush.drawImage(sheet, 0, 0);
  brush.restore();
}
