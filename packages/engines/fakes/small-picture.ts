import sharp from 'sharp';
import { smallFilm } from './small-film.ts';

const plain = (width = 48, height = 32) => sharp({ create: { width, height, channels: 3, background: '#a63' } });

/** A small PNG for fakes whose answers contain the result. */
export const smallPicture: Promise<Buffer> = plain().png().toBuffer();

/** Returns a small result in base64 by the word `file` of a prompt, with the type that the upstream states. */
export async function resultInside(file = 'png'): Promise<{ readonly type: string; readonly data: string }> {
  const bytes: Readonly<Record<string, Promise<Buffer> | Buffer>> = {
    png: smallPicture,
    jpeg: plain().jpeg().toBuffer(),
    webp: plain().webp().toBuffer(),
    wrongtype: plain().webp().toBuffer(),
    film: smallFilm,
    garbage: Buffer.from('no picture'),
  };
  const data = await bytes[file];
  if (data === undefined) throw new Error(`no such file: ${file}`);
  const types: Readonly<Record<string, string>> = { wrongtype: 'image/png', film: 'video/mp4' };
  return { type: types[file] ?? `image/${file}`, data: data.toString('base64') };
}

/** Returns a square PNG in base64. */
export async function squareInside(side: number): Promise<string> {
  return (await plain(side, side).png().toBuffer()).toString('base64');
}

/** Returns a PNG of slightly more than the given number of bytes. */
export async function pictureBeyond(bytes: number): Promise<Buffer> {
  const side = Math.ceil(Math.sqrt(bytes / 3)) + 64;
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 };
  const picture = sharp({ create: { width: side, height: side, channels: 3, background: '#000', noise } });
  return await picture.png({ compressionLevel: 0 }).toBuffer();
}
