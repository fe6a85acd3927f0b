import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { loadCodecs } from '@darkroom-service/media/decoding';
import {
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { releasePixels } from '../model/release-pixels.ts';
import {
  type EncodedTrack,
  encodePicture,
  encodeSound,
  type PaintFrame,
  type PictureCodec,
  type SoundCodec,
} from './encode-film.ts';

export interface FilmPlan {
  readonly path: string;
  readonly format: 'mp4' | 'webm';
  /** Codec of the picture; WebM does not support H.264. */
  readonly codec: PictureCodec;
  /** Width in pixels; both sides must be even. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly durationSeconds: number;
  /** Interleaved left and right samples, 48,000 pairs a second, as long as the film; null for a silent film. */
  readonly sound: Float32Array | null;
}

/** Returns the number of frames of a film; its length is exactly this number divided by `fps`. */
export function countFrames(durationSeconds: number, fps: number): number {
  return Math.max(1, Math.round(durationSeconds * fps));
}

/**
 * Encodes frames as a film that can be played while it loads. The same frames give the same bytes.
 * @param paint returns the pixels of a frame. Their memory is freed after encoding.
 * @param onFrame called with the number of finished frames.
 * @throws RangeError for odd sides; CodecsMissing if the optional codecs are not installed.
 */
export async function writeFilm(
  plan: FilmPlan,
  paint: PaintFrame,
  onFrame: (done: number, of: number) => void,
): Promise<void> {
  const { width, height, fps, path } = plan;
  if (width % 2 !== 0 || height % 2 !== 0) throw new RangeError(`a film needs even sides; found ${width}x${height}`);
  if (!(await loadCodecs())) throw new CodecsMissing();
  const frames = countFrames(plan.durationSeconds, fps);
  const sound =
    plan.sound === null ? null : await encodeSound(plan.sound, frames / fps, plan.format === 'webm' ? 'opus' : 'aac');
  const picture = await encodePicture({ ...plan, frames }, releasing(paint), onFrame);
  await (plan.format === 'webm' ? writeWebm : writeMp4)(path, { ...picture, fps }, sound);
}

/**
 * Frees each frame when the encoder asks for the next one, because it has copied it by then. Yields first, so that the
 * encoder's threads can work while the next frame is painted.
 */
function releasing(paint: PaintFrame): PaintFrame {
  let last: Uint8Array | null = null;
  return async (frame) => {
    if (last !== null) releasePixels(last);
    await setImmediate();
    last = await paint(frame);
    return last;
  };
}

/** Error for films that cannot be made or decoded without the optional package. */
export class CodecsMissing extends Error {
  constructor() {
    super(
      'films need the optional package @mediabunny/server, which is not installed; install it with `npm install @mediabunny/server`',
    );
    this.name = 'CodecsMissing';
  }
}

interface PictureTrack extends EncodedTrack<PictureCodec> {
  readonly fps: number;
}

async function writeMp4(path: string, picture: PictureTrack, sound: EncodedTrack<SoundCodec> | null): Promise<void> {
  let times: readonly TimeField[] = [];
  const format = new Mp4OutputFormat({
    fastStart: 'in-memory',
    onMoov: (moov, position) => {
      times = findCreationTimes(moov).map((field) => ({ ...field, offset: field.offset + position }));
    },
  });
  await writePackets(path, format, picture, sound);
  await eraseTimes(path, times);
}

async function writeWebm(path: string, picture: PictureTrack, sound: EncodedTrack<SoundCodec> | null): Promise<void> {
  await writePackets(path, new WebMOutputFormat(), picture, sound);
}

/** Writes the packets in order of time. If the encoders wrote them, the order would depend on their speed. */
async function writePackets(
  path: string,
  format: OutputFormat,
  picture: PictureTrack,
  sound: EncodedTrack<SoundCodec> | null,
): Promise<void> {
  const output = new Output({ format, target: new FilePathTarget(path) });
  const pictures = new EncodedVideoPacketSource(picture.codec);
  output.addVideoTrack(pictures, { frameRate: picture.fps });
  const sounds = sound === null ? null : new EncodedAudioPacketSource(sound.codec);
  if (sounds !== null) output.addAudioTrack(sounds);
  await output.start();
  const waiting = [...(sound?.packets ?? [])];
  for (const [place, { packet, metadata }] of picture.packets.entries()) {
    while (waiting[0] !== undefined && waiting[0].packet.timestamp <= place / picture.fps) await addNextSound();
    await pictures.add(packet, metadata as EncodedVideoChunkMetadata);
  }
  while (waiting.length > 0) await addNextSound();
  await output.finalize();

  async function addNextSound(): Promise<void> {
    const { packet, metadata } = waiting.shift()!;
    await sounds?.add(packet, metadata as EncodedAudioChunkMetadata);
  }
}

/** Erases the creation times that the muxer writes into headers, because equal films would differ by them. */
async function eraseTimes(path: string, fields: readonly TimeField[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    for (const { offset, bytes } of fields) await file.write(Buffer.alloc(bytes), 0, bytes, offset);
  } finally {
    await file.close();
  }
}

interface TimeField {
  readonly offset: number;
  readonly bytes: number;
}

/** Boxes that contain the boxes with the headers. */
const CONTAINERS: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia']);
const HEADERS: ReadonlySet<string> = new Set(['mvhd', 'tkhd', 'mdhd']);

/** Returns byte offsets of the creation and modification times in an MP4's `moov` box. */
function findCreationTimes(moov: Uint8Array): readonly { readonly offset: number; readonly bytes: number }[] {
  const view = new DataView(moov.buffer, moov.byteOffset, moov.byteLength);
  const found: { offset: number; bytes: number }[] = [];
  walk(0, moov.byteLength);
  return found;

  function walk(from: number, to: number): void {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      if (size < 8) return;
      const type = String.fromCharCode(...moov.subarray(at + 4, at + 8));
      if (CONTAINERS.has(type)) walk(at + 8, at + size);
      // After version and flags, version 0 has two times of 4 bytes, version 1 two of 8.
      if (HEADERS.has(type)) found.push({ offset: at + 12, bytes: moov[at + 8] === 1 ? 16 : 8 });
      at += size;
    }
  }
}
