import sharp from 'sharp';
import type { Probe } from '../probe.ts';
import { decodeFrames } from './decode-frame.ts';

const FRAMES = 12;
const LONGEST_SIDE = 320;
const LONGEST_DELAY_MS = 200;
/** Maximum pixels decoded: every frame up to the last one shown is; a very large video shows its beginning. */
const MOST_PIXELS = 1_000_000_000;

/**
 * Makes an animated preview of a video: an endless WebP of a dozen frames, whose longest side is 320 pixels, or the
 * video's own if smaller.
 * Null for pictures, sounds and videos of one frame, and when the codecs are not installed or cannot decode it.
 */
export async function makePreview(path: string, probe: Probe): Promise<Uint8Array | null> {
  const times = timesOf(probe);
  if (times.length < 2) return null;
  try {
    return await encode(await smallFrames(path, probe.contentType, times), times[1]!);
  } catch {
    return null;
  }
}

function timesOf({ kind, durationSeconds, fps, width, height }: Probe): number[] {
  if (kind !== 'video' || durationSeconds === null || fps === null || width === null || height === null) return [];
  const seconds = Math.min(durationSeconds, MOST_PIXELS / (width * height * fps));
  const count = Math.min(FRAMES, Math.floor(seconds * fps));
  return Array.from({ length: count }, (_, index) => (index * seconds) / count);
}

interface SmallFrame {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function smallFrames(path: string, contentType: string, times: readonly number[]): Promise<SmallFrame[]> {
  const frames: SmallFrame[] = [];
  for await (const frame of decodeFrames(path, contentType, times)) {
    const small = frame.resize(LONGEST_SIDE, LONGEST_SIDE, { fit: 'inside', withoutEnlargement: true });
    const { data, info } = await small.raw().toBuffer({ resolveWithObject: true });
    frames.push({ data, width: info.width, height: info.height });
  }
  return frames;
}

/** Encodes the preview. @param seconds time between two frames. */
async function encode(frames: readonly SmallFrame[], seconds: number): Promise<Uint8Array | null> {
  const [first] = frames;
  if (first === undefined || frames.length < 2) return null;
  const { width, height } = first;
  const raw = { width, height: height * frames.length, channels: 3, pageHeight: height } as const;
  const delay = Math.min(LONGEST_DELAY_MS, Math.round(seconds * 1000));
  return await sharp(Buffer.concat(frames.map(({ data }) => data)), { raw })
    .webp({ quality: 60, effort: 2, loop: 0, delay: frames.map(() => delay) })
    .toBuffer();
}
