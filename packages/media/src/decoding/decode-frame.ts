import { type VideoSample, VideoSampleSink } from 'mediabunny';
import sharp, { type Sharp } from 'sharp';
import type { Probe } from '../probe.ts';
import { loadCodecs } from './codecs.ts';
import { openFilm } from './measure-film.ts';
import type { FilmFormat } from './recognize.ts';

declare global {
  /** The option of the standard that mediabunny supports and the published types lack. */
  interface VideoFrameCopyToOptions {
    format?: 'RGBA';
  }
}

const FILM_FORMATS: Readonly<Record<string, FilmFormat>> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mp4',
  'video/x-matroska': 'matroska',
  'video/webm': 'matroska',
};

/** Maximum milliseconds of decoding. */
const TIME_LIMIT_MS = 30_000;

/**
 * Returns the video frame shown at a time (seconds from its start), upright and opaque.
 * Null when the codecs are not installed or cannot decode it.
 */
export async function decodeFrame(
  path: string,
  contentType: Probe['contentType'],
  time: number,
): Promise<Sharp | null> {
  try {
    for await (const frame of decodeFrames(path, contentType, [time])) return frame;
    return null;
  } catch {
    return null;
  }
}

/**
 * Yields the video frames shown at the given times (seconds from its start), upright and opaque. With ascending times
 * each packet is decoded once. Yields nothing when the codecs are not installed or the file is not a video.
 * @throws mediabunny's error if decoding fails or takes too long
 */
export async function* decodeFrames(
  path: string,
  contentType: Probe['contentType'],
  times: Iterable<number>,
  limitMs: number = TIME_LIMIT_MS,
): AsyncGenerator<Sharp, undefined> {
  const format = FILM_FORMATS[contentType];
  if (format === undefined || !(await loadCodecs())) return;
  const input = openFilm(path, format);
  const timer = setTimeout(() => input.dispose(), limitMs);
  try {
    const track = await input.getPrimaryVideoTrack();
    if (track === null) return;
    const start = await track.getFirstTimestamp();
    const sink = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' });
    const wanted = Array.from(times, (time) => start + time);
    for await (const sample of sink.samplesAtTimestamps(wanted)) {
      if (sample === null) continue;
      using shown = sample;
      yield await pictureOf(shown);
    }
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

/** Returns a frame as a picture, stretched to the shape in which the film is shown: its pixels may not be square. */
async function pictureOf(sample: VideoSample): Promise<Sharp> {
  const pixels = new Uint8Array(sample.allocationSize({ format: 'RGBA' }));
  await sample.copyTo(pixels, { format: 'RGBA' });
  const { codedWidth: width, codedHeight: height, squarePixelWidth, squarePixelHeight } = sample;
  let frame = sharp(pixels, { raw: { width, height, channels: 4 } }).removeAlpha();
  if (squarePixelWidth !== width || squarePixelHeight !== height) {
    const shape = { fit: 'fill', kernel: 'linear' } as const;
    const shown = await frame
      .resize(...smaller(squarePixelWidth, squarePixelHeight), shape)
      .raw()
      .toBuffer(WITH_INFO);
    frame = sharp(shown.data, { raw: { width: shown.info.width, height: shown.info.height, channels: 3 } });
  }
  frame = frame.rotate(sample.rotation);
  return sample.flip ? frame.flop() : frame;
}

const WITH_INFO = { resolveWithObject: true } as const;
/** Maximum pixels of a side: no preview is larger, and a header can claim any shape. */
const LONGEST_SIDE = 1_024;

function smaller(width: number, height: number): [width: number, height: number] {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
}
