import type { Sharp } from 'sharp';
import type { Probe } from '../probe.ts';
import { decodeFrame } from './decode-frame.ts';
import { openPicture } from './probe-file.ts';

const LONGEST_SIDE = 512;

/**
 * Makes a small WebP of a picture, or of a video's first frame. Its longest side is 512 pixels, or the original's if
 * smaller.
 * Null for sounds, and for videos when the codecs are not installed or cannot decode them.
 */
export async function makeThumbnail(path: string, probe: Probe): Promise<Uint8Array | null> {
  if (probe.kind === 'image') return await encode(openPicture(path, (probe.width ?? 0) * (probe.height ?? 0)));
  if (probe.kind === 'audio') return null;
  const frame = await decodeFrame(path, probe.contentType, 0);
  return frame === null ? null : await encode(frame);
}

function encode(picture: Sharp): Promise<Uint8Array> {
  return picture
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80, effort: 2 })
    .toBuffer();
}
