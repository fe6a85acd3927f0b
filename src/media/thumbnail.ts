import type { Sharp } from 'sharp';
import { decodeFrame } from './decode-frame.ts';
import { openPicture, type Probe } from './probe.ts';

const LONGEST_SIDE = 512;

/**
 * A small WebP of a picture, or of a film's first frame; its longest side is 512 pixels, or the picture's own if that is less.
 * Null where there is nothing to show: sounds, and films when the codecs are not installed or cannot decode it.
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
