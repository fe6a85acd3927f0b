import { type Canvas, createCanvas } from '@napi-rs/canvas';

/** A picture's pixels, four bytes each. */
export interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/**
 * Lets a function change a picture's pixels. It is given them at most `longest` on the longer side: lines and hatching keep their weight in any
 * size, and a large picture takes no longer than a middling one.
 */
export function changePixels(
  canvas: Canvas,
  longest: number,
  change: (pixels: Pixels) => void,
  onto: 'over' | 'replace' = 'over',
): void {
  const scale = Math.min(1, longest / Math.max(canvas.width, canvas.height));
  const width = Math.max(1, Math.round(canvas.width * scale));
  const height = Math.max(1, Math.round(canvas.height * scale));
  const small = createCanvas(width, height);
  const smallBrush = small.getContext('2d');
  smallBrush.drawImage(canvas, 0, 0, width, height);
  const image = smallBrush.getImageData(0, 0, width, height);
  change({ data: image.data, width, height });
  smallBrush.putImageData(image, 0, 0);
  if (onto === 'replace') canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);
  layOver(canvas, small, true);
}

/** Fills a canvas with another one. */
export function layOver(canvas: Canvas, other: Canvas, smooth: boolean): void {
  const brush = canvas.getContext('2d');
  brush.save();
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.imageSmoothingEnabled = smooth;
  if (smooth) brush.imageSmoothingQuality = 'high';
  brush.drawImage(other, 0, 0, canvas.width, canvas.height);
  brush.restore();
}

/** Lightness of every pixel, 0 to 255. */
export function luminances({ data, width, height }: Pixels): Uint8ClampedArray {
  const result = new Uint8ClampedArray(width * height);
  for (let at = 0, from = 0; at < result.length; at++, from += 4) {
    result[at] = (data[from]! * 77 + data[from + 1]! * 150 + data[from + 2]! * 29) >> 8;
  }
  return result;
}

/** How sharply each pixel's neighbours differ, in any of the three colours: 0 to 255. */
export function edges({ data, width, height }: Pixels): Uint8ClampedArray {
  const result = new Uint8ClampedArray(width * height);
  const row = width * 4;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const at = y * row + x * 4;
      let most = 0;
      for (let part = at; part < at + 3; part++) {
        const across = Math.abs(data[part + 4]! - data[part - 4]!);
        const down = Math.abs(data[part + row]! - data[part - row]!);
        const slant = Math.abs(data[part + row + 4]! - data[part - row - 4]!);
        const change = across + down + slant;
        if (change > most) most = change;
      }
      result[y * width + x] = most;
    }
  }
  return result;
}
