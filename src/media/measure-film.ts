import {
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  Input,
  type InputFormat,
  type InputTrack,
  type InputVideoTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { MediaFault } from './media-fault.ts';

const FORMATS = {
  mp4: [MP4, QTFF],
  matroska: [MATROSKA, WEBM],
  wav: [WAVE],
  ogg: [OGG],
  flac: [FLAC],
  mp3: [MP3],
} as const satisfies Record<string, readonly InputFormat[]>;

export type FilmFormat = keyof typeof FORMATS;

export interface FilmMeasurements {
  readonly kind: 'video' | 'audio';
  readonly contentType: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number;
  readonly fps: number | null;
  readonly hasAudio: boolean;
}

const AUDIO_CONTENT_TYPES: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/x-matroska': 'audio/x-matroska',
  'video/webm': 'audio/webm',
  'application/ogg': 'audio/ogg',
};

/** Containers that count time in whole milliseconds, so that a rate is only nearly read from them. */
const COARSE_TIMES = ['video/x-matroska', 'video/webm'];
const COARSE_SECONDS = 0.001;
const FRACTIONAL_RATES = [24, 30, 60, 120].map((rate) => (rate * 1000) / 1001);

/** Enough packets to tell any rate; a film's length is read from its end. */
const PACKETS_FOR_RATE = 512;
const TIME_LIMIT_MS = 30_000;

/**
 * Measures a film or sound by its tables, without decoding a frame.
 * @throws MediaFault
 */
export async function measureFilm(path: string, format: FilmFormat, maxPixels: number): Promise<FilmMeasurements> {
  const input = openFilm(path, format);
  const timer = setTimeout(() => input.dispose(), TIME_LIMIT_MS);
  try {
    return await measure(input, maxPixels);
  } catch (error) {
    if (error instanceof MediaFault) throw error;
    throw new MediaFault('corrupt', `the file begins like ${format}, but cannot be read to its end`, error);
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

/** A film or sound opened for reading: of the given format, or of any that we know. The caller disposes of it. */
export function openFilm(path: string, format?: FilmFormat): Input {
  const formats = format === undefined ? Object.values(FORMATS).flat() : [...FORMATS[format]];
  return new Input({ source: new FilePathSource(path, { handleUnhandledError: () => undefined }), formats });
}

async function measure(input: Input, maxPixels: number): Promise<FilmMeasurements> {
  const container = (await input.getFormat()).mimeType;
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video !== null) {
    return {
      kind: 'video',
      contentType: container,
      ...(await measurePicture(video, maxPixels, COARSE_TIMES.includes(container))),
      durationSeconds: await measureLength(video),
      hasAudio: audio !== null,
    };
  }
  if (audio === null) throw new MediaFault('corrupt', 'the file holds neither a picture track nor a sound track');
  const contentType = AUDIO_CONTENT_TYPES[container] ?? container;
  return {
    kind: 'audio',
    contentType,
    width: null,
    height: null,
    fps: null,
    durationSeconds: await measureLength(audio),
    hasAudio: true,
  };
}

async function measurePicture(
  track: InputVideoTrack,
  maxPixels: number,
  coarse: boolean,
): Promise<{ width: number; height: number; fps: number }> {
  const width = await track.getDisplayWidth();
  const height = await track.getDisplayHeight();
  if (!(width > 0 && height > 0)) throw new MediaFault('corrupt', `the film says that it is ${width}x${height} pixels`);
  if (width * height > maxPixels)
    throw new MediaFault(
      'too_large',
      `expected a film of at most ${Math.floor(maxPixels / 1e6)} megapixels a frame, found ${width}x${height}`,
    );
  const { packetCount, averagePacketRate: rate } = await track.computePacketStats(PACKETS_FOR_RATE);
  return { width, height, fps: round(coarse ? meantRate(rate, packetCount) : rate, 3) };
}

/** The whole or television rate that was meant, where it is within what such times leave open. */
function meantRate(rate: number, packets: number): number {
  const open = (rate * rate * COARSE_SECONDS) / packets;
  return [Math.round(rate), ...FRACTIONAL_RATES].find((meant) => Math.abs(meant - rate) <= open) ?? rate;
}

/** Reads the last packet's bytes as well, so that a file cut short is found out although its tables lie at the start. */
async function measureLength(track: InputTrack): Promise<number> {
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  if (last === null || last.data.byteLength === 0)
    throw new MediaFault('corrupt', `the ${track.type} track holds nothing`);
  const seconds = (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp());
  if (!(seconds > 0 && Number.isFinite(seconds)))
    throw new MediaFault('corrupt', `the ${track.type} track has no length`);
  return round(seconds, 6);
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
