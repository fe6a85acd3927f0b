import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Picturesque } from '../model/stage.ts';

/** Sides, in pixels, of the copies from which a hole is filled, from coarse to fine. */
const COPIES = [2, 4, 8, 16, 32, 64] as const;

/** Returns a picture without the mask's white part, which is filled with its surroundings, as if out of focus. */
export function smearRegion(picture: Picturesque, mask: Picturesque): Canvas {
  const { width, height } = picture;
  const holed = createCanvas(width, height);
  const brush = holed.getContext('2d');
  brush.drawImage(maskAlpha(mask, width, height), 0, 0);
  brush.globalCompositeOperation = 'source-out';
  brush.drawImage(picture, 0, 0);
  const filled = createCanvas(width, height);
  const under = filled.getContext('2d');
  under.imageSmoothingQuality = 'high';
  for (const side of COPIES) {
    under.drawImage(opaqueCopy(holed, side), 0, 0, width, height);
  }
  under.drawImage(holed, 0, 0);
  return filled;
}

/** Returns the white area of a mask. */
function maskAlpha(mask: Picturesque, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  brush.fillStyle = '#000000';
  brush.fillRect(0, 0, width, height);
  brush.drawImage(mask, 0, 0, width, height);
  const image = brush.getImageData(0, 0, width, height);
  const { data } = image;
  for (let at = 0; at < data.length; at += 4) {
    const luminance = 0.2126 * data[at]! + 0.7152 * data[at + 1]! + 0.0722 * data[at + 2]!;
    data[at + 3] = luminance >= 127.5 ? 255 : 0;
  }
  brush.putImageData(image, 0, 0);
  return canvas;
}

/** Returns a small copy: the mean colour where the picture is partly transparent, nothing where it is fully so. */
function opaqueCopy(picture: Canvas, side: number): Canvas {
  let copy: Canvas = picture;
  // Halves the picture step by step, so that every pixel counts.
  while (Math.max(copy.width, copy.height) > side * 2)
    copy = scaledTo(copy, Math.ceil(copy.width / 2), Math.ceil(copy.height / 2));
  const small = scaledTo(copy, side, side);
  const brush = small.getContext('2d');
  const image = brush.getImageData(0, 0, side, side);
  for (let at = 3; at < image.data.length; at += 4)
    image.data[at] = Math.min(255, Math.max(0, (image.data[at]! - 40) * 3));
  brush.putImageData(image, 0, 0);
  return small;
}

function scaledTo(picture: Canvas, width: number, height: number): Canvas {
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
  brush.imageSmoothingQuality = 'high';
  brush.drawImage(picture, 0, 0, width, height);
  return canvas;
}
