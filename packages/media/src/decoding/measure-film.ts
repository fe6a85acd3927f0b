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
import { isFaultOfMachine } from '../machine-fault.ts';
import { MediaFault } from '../media-fault.ts';
import type { FilmFormat } from './recognize.ts';

const FORMATS = {
  mp4: [MP4, QTFF],
  matroska: [MATROSKA, WEBM],
  wav: [WAVE],
  ogg: [OGG],
  flac: [FLAC],
  mp3: [MP3],
} as const satisfies Record<FilmFormat, readonly InputFormat[]>;

interface FilmMeasurements {
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

/** Containers with timestamps in whole milliseconds, from which a frame rate can be derived only approximately. */
const COARSE_TIMES = ['video/x-matroska', 'video/webm'];
const COARSE_SECONDS = 0.001;
const FRACTIONAL_RATES = [24, 30, 60, 120].map((rate) => (rate * 1000) / 1001);

/**
 * Maximum pixels per byte of a key frame, by the minimum bits of a block: 0.2 for 16×16 pixels in H.264 and 3.42 in
 * VP8, 1 for 64×64 in HEVC and 0.02 in VP9, 0.014 for 128×128 in AV1. Rounded up to at least double, except for VP8,
 * whose probabilities are fixed.
 */
const MOST_PIXELS_PER_BYTE: Readonly<Record<string, number>> = {
  avc: 20_000,
  hevc: 80_000,
  vp8: 600,
  vp9: 4_000_000,
  av1: 20_000_000,
};

/** Number of packets that suffice for any frame rate; the duration is read from the end. */
const PACKETS_FOR_RATE = 512;
const TIME_LIMIT_MS = 30_000;

/**
 * Measures a video or sound by its tables, without decoding a frame.
 * @throws MediaFault
 */
export async function measureFilm(path: string, format: FilmFormat): Promise<FilmMeasurements> {
  const input = openFilm(path, format);
  const timer = setTimeout(() => input.dispose(), TIME_LIMIT_MS);
  try {
    return await measure(input);
  } catch (error) {
    if (error instanceof MediaFault || isFaultOfMachine(error)) throw error;
    throw new MediaFault('corrupt', `the file begins like ${format}, but is damaged or incomplete`, error);
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

/** Opens a video or sound of the given format, or of any supported format, for reading. The caller disposes of it. */
export function openFilm(path: string, format?: FilmFormat): Input {
  const formats = format === undefined ? Object.values(FORMATS).flat() : [...FORMATS[format]];
  return new Input({ source: new FilePathSource(path, { handleUnhandledError: () => undefined }), formats });
}

async function measure(input: Input): Promise<FilmMeasurements> {
  const container = (await input.getFormat()).mimeType;
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (video !== null) {
    return {
      kind: 'video',
      contentType: container,
      ...(await measurePicture(video, COARSE_TIMES.includes(container))),
      durationSeconds: await measureLength(video),
      hasAudio: audio !== null,
    };
  }
  if (audio === null) throw new MediaFault('corrupt', 'the file has neither a video track nor an audio track');
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
  coarse: boolean,
): Promise<{ width: number; height: number; fps: number }> {
  const width = await track.getDisplayWidth();
  const height = await track.getDisplayHeight();
  if (!(width > 0 && height > 0))
    throw new MediaFault(
      'corrupt',
      `the video declares a size of ${width}x${height} pixels; both sides must be at least 1`,
    );
  const first = await new EncodedPacketSink(track).getFirstPacket();
  const most = MOST_PIXELS_PER_BYTE[(await track.getCodec()) ?? ''] ?? Number.POSITIVE_INFINITY;
  const pixels = (await track.getCodedWidth()) * (await track.getCodedHeight());
  if (first?.type === 'key' && pixels > first.data.byteLength * most)
    throw new MediaFault(
      'corrupt',
      `the ${first.data.byteLength} bytes of the video's first frame cannot hold the size that its header tells`,
    );
  const { packetCount, averagePacketRate: rate } = await track.computePacketStats(PACKETS_FOR_RATE);
  return { width, height, fps: round(coarse ? meantRate(rate, packetCount) : rate, 3) };
}

/** Rounds to the intended whole or television frame rate if it is within the precision of the timestamps. */
function meantRate(rate: number, packets: number): number {
  const open = (rate * rate * COARSE_SECONDS) / packets;
  return [Math.round(rate), ...FRACTIONAL_RATES].find((meant) => Math.abs(meant - rate) <= open) ?? rate;
}

/** Reads the last packet's bytes as well, to detect a truncated file whose tables are at its start. */
async function measureLength(track: InputTrack): Promise<number> {
  const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
  if (last === null || last.data.byteLength === 0) throw new MediaFault('corrupt', `the ${track.type} track is empty`);
  const seconds = (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp());
  if (!(seconds > 0 && Number.isFinite(seconds)))
    throw new MediaFault('corrupt', `the ${track.type} track has no duration`);
  return round(seconds, 6);
}

function round(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
