import { type Input, VideoSampleSink } from 'mediabunny';
import sharp, { type Sharp } from 'sharp';
import { loadCodecs } from './codecs.ts';
import { type FilmFormat, openFilm } from './measure-film.ts';
import type { Probe } from './probe.ts';

declare global {
  /** In the standard, and read by mediabunny; the published types are older than both. */
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

/**
 * The frame of a film that is seen at a time (seconds from its start), upright and opaque.
 * Null when the codecs are not installed or cannot decode it.
 */
export async function decodeFrame(
  path: string,
  contentType: Probe['contentType'],
  time: number,
): Promise<Sharp | null> {
  const format = FILM_FORMATS[contentType];
  if (format === undefined || !(await loadCodecs())) return null;
  const input = openFilm(path, format);
  try {
    return await decode(input, time);
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

async function decode(input: Input, time: number): Promise<Sharp | null> {
  const track = await input.getPrimaryVideoTrack();
  if (track === null) return null;
  const sink = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' });
  using sample = await sink.getSample((await track.getFirstTimestamp()) + time);
  if (sample === null) return null;
  const pixels = new Uint8Array(sample.allocationSize({ format: 'RGBA' }));
  await sample.copyTo(pixels, { format: 'RGBA' });
  const { codedWidth: width, codedHeight: height } = sample;
  const frame = sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .rotate(sample.rotation);
  return sample.flip ? frame.flop() : frame;
}
