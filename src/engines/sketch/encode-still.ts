import sharp from 'sharp';

export interface Pixels {
  /** RGBA, four bytes a pixel, row by row from the top. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export type StillFormat = 'png' | 'jpeg' | 'webp';

/** Writes an opaque picture as a file. The same pixels give the same bytes. */
export async function writeStill(path: string, { data, width, height }: Pixels, format: StillFormat): Promise<void> {
  const picture = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false }).removeAlpha();
  switch (format) {
    case 'png':
      await picture.png({ compressionLevel: 6, adaptiveFiltering: false }).toFile(path);
      return;
    case 'jpeg':
      await picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(path);
      return;
    case 'webp':
      await picture.webp({ quality: 92, effort: 2 }).toFile(path);
  }
}
