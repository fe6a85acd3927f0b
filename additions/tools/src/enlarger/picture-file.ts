import { crc32, deflateSync } from 'node:zlib';
import { machineFaultOf } from '@darkroom-service/media/process';
import sharp, { type Metadata } from 'sharp';
import { type EnlargedPicture, EnlargeFault } from './enlarge-job.ts';

/** A decoded picture, upright. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3, or 4 with alpha. */
  readonly channels: 3 | 4;
  readonly values: Uint8Array | Uint16Array;
  /** The value of full brightness: 255, or 65,535. */
  readonly most: number;
  /** The colour profile of the values; null = sRGB. */
  readonly profile: Buffer | null;
}

/** Maximum pixels of a picture that is read, whatever the catalog says. */
const MOST_PIXELS = 16 * 2 ** 20;
const RGB: ReadonlySet<string | undefined> = new Set(['srgb', 'rgb', 'rgb16']);

/**
 * Decodes a picture. Values of red, green and blue stay as they are, with their profile; others, such as CMYK, become
 * sRGB.
 * @throws EnlargeFault if it cannot be decoded
 */
export async function readPicture(path: string): Promise<Pixels> {
  try {
    const options = { limitInputPixels: MOST_PIXELS, failOn: 'error' } as const;
    const found: Metadata = await sharp(path, options).metadata();
    const isRgb = RGB.has(found.space);
    const isDeep = found.depth === 'ushort';
    const decoded = sharp(path, { ...options, ignoreIcc: isRgb })
      .autoOrient()
      .toColourspace(isDeep ? 'rgb16' : 'srgb')
      .raw({ depth: isDeep ? 'ushort' : 'uchar' });
    const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    if (channels !== 3 && channels !== 4) throw new EnlargeFault(`the image has ${channels} channels`);
    const values = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
    const profile = isRgb ? (found.icc ?? null) : null;
    return { width, height, channels, values, most: isDeep ? 65_535 : 255, profile };
  } catch (error) {
    if (machineFaultOf(error) !== null || error instanceof EnlargeFault) throw error;
    throw new EnlargeFault('the image cannot be read', error);
  }
}

/** Writes a picture with its profile. JPEG has no alpha: such a picture is laid on white. */
export async function writePicture(
  { width, height, channels, values, profile, most }: Pixels,
  path: string,
  format: 'png' | 'jpeg' | 'webp',
): Promise<void> {
  const raw = sharp(values, { raw: { width, height, channels }, limitInputPixels: false });
  const isDeep = most > 255;
  const plain = isDeep ? raw.toColourspace('rgb16') : raw;
  if (format === 'png' && profile === null) {
    await plain.png().toFile(path);
    return;
  }
  const png = await plain.png({ compressionLevel: profile === null ? 0 : 1 }).toBuffer();
  const carried = profile === null ? png : withProfile(png, profile);
  const output = sharp(carried, { ignoreIcc: true, limitInputPixels: false }).keepIccProfile();
  if (format === 'jpeg') await output.flatten({ background: '#fff' }).jpeg({ quality: 95 }).toFile(path);
  else if (format === 'webp') await output.webp({ quality: 95 }).toFile(path);
  else await (isDeep ? output.toColourspace('rgb16') : output).png().toFile(path);
}

/** Reads the size of a written picture, and whether it has alpha. */
export async function measurePicture(path: string): Promise<EnlargedPicture> {
  const { width, height, hasAlpha } = await sharp(path, { limitInputPixels: false }).metadata();
  return { width, height, hasAlpha };
}

/** Enlarges the alpha of a picture into that of its enlargement. */
export async function enlargeAlpha(from: Pixels, to: Pixels): Promise<void> {
  const isDeep = from.most > 255;
  const alpha = sharp(from.values, { raw: { width: from.width, height: from.height, channels: from.channels } })
    .extractChannel(3)
    .resize({ width: to.width, height: to.height, fit: 'fill', kernel: 'lanczos3' })
    .toColourspace(isDeep ? 'grey16' : 'b-w')
    .raw({ depth: isDeep ? 'ushort' : 'uchar' });
  const { data, info } = await alpha.toBuffer({ resolveWithObject: true });
  const values = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  for (let pixel = 0; pixel < to.width * to.height; pixel++)
    to.values[pixel * 4 + 3] = values[pixel * info.channels] as number;
}

/** Bytes of a PNG before the place of its profile: the signature and the header. */
const PNG_HEADER = 33;

function withProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCPprofile\0\0', 'latin1'), deflateSync(profile)]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length - 4);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([png.subarray(0, PNG_HEADER), length, content, checksum, png.subarray(PNG_HEADER)]);
}
