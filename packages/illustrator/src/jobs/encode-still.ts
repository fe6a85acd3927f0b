import { writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';

export interface Pixels {
  /** RGBA, four bytes a pixel, row by row from the top. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type StillFormat = (typeof STILL_FORMATS)[number];

const STILL_FORMATS = ['png', 'jpeg', 'webp'] as const;

/** Returns whether the format is a still image; all others are films. */
export function isStillFormat(format: string): format is StillFormat {
  return STILL_FORMATS.some((each) => each === format);
}

/**
 * Writes an opaque picture as a file. The same pixels give the same bytes.
 * @throws the file system's error, with its code.
 */
export async function writeStill(path: string, { data, width, height }: Pixels, format: StillFormat): Promise<void> {
  const picture = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }).removeAlpha();
  await writeFile(path, await encode(picture, format).toBuffer());
}

function encode(picture: Sharp, format: StillFormat): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 6, adaptiveFiltering: false });
    case 'jpeg':
      return picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' });
    case 'webp':
      return picture.webp({ quality: 92, effort: 2 });
  }
}
