import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import { releasePixels } from '../../model/release-pixels.ts';

export interface Pixels {
  /** Pixels row by row; each word has red in the lowest byte, then green, blue and alpha. */
  readonly words: Uint32Array;
  readonly width: number;
  readonly height: number;
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size at which a style is applied: the longer side is at most `longest`, which bounds the time for large
 * pictures.
 */
export function retouchSides({ width, height }: Sides, longest: number): Sides {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * Applies a function to a picture's pixels and draws the result on `shown`. The function gets the pixels at the size
 * `sides`, so that lines and hatching look equally thick in pictures of any size.
 */
export function retouch(painted: Canvas, shown: Canvas, sides: Sides, change: (pixels: Pixels) => void): void {
  const { width, height } = sides;
  const source = scaled(painted, sides);
  const image = source.getContext('2d').getImageData(0, 0, width, height);
  change({ words: new Uint32Array(image.data.buffer), width, height });
  const same = shown.width === width && shown.height === height;
  const result = same ? shown : source === painted ? createCanvas(width, height) : source;
  result.getContext('2d').putImageData(image, 0, 0);
  releasePixels(image.data);
  if (!same) layOver(shown, result, source === painted ? 'low' : 'high');
}

function scaled(canvas: Canvas, { width, height }: Sides): Canvas {
  if (canvas.width === width && canvas.height === height) return canvas;
  const small = createCanvas(width, height);
  small.getContext('2d').drawImage(canvas, 0, 0, width, height);
  return small;
}

/** Reads a picture's pixels at another size. */
export function readPixels(canvas: Canvas, { width, height }: Sides): Pixels {
  const small = createCanvas(width, height);
  const brush = small.getContext('2d');
  brush.imageSmoothingQuality = 'medium';
  brush.drawImage(canvas, 0, 0, width, height);
  const { data } = brush.getImageData(0, 0, width, height);
  return { words: new Uint32Array(data.buffer), width, height };
}

/** Replaces a canvas's pixels. @param fill must write every word: the memory is not cleared. */
export function writePixels(canvas: Canvas, fill: (words: Uint32Array) => void): void {
  const image = new ImageData(canvas.width, canvas.height);
  fill(new Uint32Array(image.data.buffer));
  canvas.getContext('2d').putImageData(image, 0, 0);
  releasePixels(image.data);
}

/** Draws one canvas over the whole of another. */
export function layOver(canvas: Canvas, other: Canvas, quality: 'low' | 'high' = 'low'): void {
  const brush = canvas.getContext('2d');
  brush.save();
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.imageSmoothingQuality = quality;
  brush.drawImage(other, 0, 0, canvas.width, canvas.height);
  brush.restore();
}

/** Computes the lightness of every pixel, 0 to 255. @param light receives the result and is returned. */
export function luminances({ words }: Pixels, light: Uint8Array): Uint8Array {
  for (let at = 0; at < light.length; at++) {
    const word = words[at]!;
    light[at] = ((word & 255) * 77 + ((word >> 8) & 255) * 150 + ((word >> 16) & 255) * 29) >> 8;
  }
  return light;
}

/**
 * Detects edges: the largest difference between each pixel's neighbours in one of the three colours, 0 to 255. The
 * picture's border gets 0.
 * @param lines receives the result and is returned
 */
export function edges({ words, width, height }: Pixels, lines: Uint8Array): Uint8Array {
  for (let y = 1; y < height - 1; y++) {
    const end = (y + 1) * width - 1;
    for (let at = y * width + 1; at < end; at++) {
      const right = words[at + 1]!;
      const left = words[at - 1]!;
      const below = words[at + width]!;
      const above = words[at - width]!;
      const next = words[at + width + 1]!;
      const last = words[at - width - 1]!;
      const red =
        Math.abs((right & 255) - (left & 255)) +
        Math.abs((below & 255) - (above & 255)) +
        Math.abs((next & 255) - (last & 255));
      const green =
        Math.abs(((right >> 8) & 255) - ((left >> 8) & 255)) +
        Math.abs(((below >> 8) & 255) - ((above >> 8) & 255)) +
        Math.abs(((next >> 8) & 255) - ((last >> 8) & 255));
      const blue =
        Math.abs(((right >> 16) & 255) - ((left >> 16) & 255)) +
        Math.abs(((below >> 16) & 255) - ((above >> 16) & 255)) +
        Math.abs(((next >> 16) & 255) - ((last >> 16) & 255));
      lines[at] = Math.min(255, Math.max(red, green, blue));
    }
  }
  return lines;
}

/** Returns an opaque pixel. Colours are clamped to 0 to 255 and truncated to integers. */
export function pixelOf(red: number, green: number, blue: number): number {
  return (0xff000000 | (part(blue) << 16) | (part(green) << 8) | part(red)) >>> 0;
}

function part(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
