import { open } from 'node:fs/promises';
import {
  AudioSample,
  AudioSampleSource,
  canEncodeAudio,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import { loadCodecs } from '../../media/codecs.ts';
import { findCreationTimes } from './creation-times.ts';
import { SAMPLE_RATE } from './sound.ts';

export interface FilmPlan {
  readonly path: string;
  /** Even, both. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly durationSeconds: number;
  /** Left and right by turns, 48,000 pairs a second, as long as the film; null for a silent one. */
  readonly sound: Float32Array | null;
}

/** Above this many pixels in all frames together a film is encoded fast instead of small. */
const THOROUGH_PIXELS = 400_000_000;

/** Samples that one packet of sound holds, of which the encoder adds one at the start. */
const PACKET_SAMPLES = { aac: 1024, opus: 960 } as const;

/** How many frames a film has: its length is exactly this many times `1 / fps`. */
export function countFrames(durationSeconds: number, fps: number): number {
  return Math.max(1, Math.round(durationSeconds * fps));
}

/**
 * Writes frames as an MP4 (H.264) that can be played while it loads. The same frames give the same bytes.
 * @param paint the RGBA pixels of a frame; called in order, one at a time.
 * @param onFrame told how many frames are done.
 * @throws RangeError for odd sides; CodecsMissing where the optional codecs are not installed.
 */
export async function writeFilm(
  plan: FilmPlan,
  paint: (frame: number) => Uint8Array,
  onFrame: (done: number, of: number) => void,
): Promise<void> {
  const { width, height, fps, path } = plan;
  if (width % 2 !== 0 || height % 2 !== 0) throw new RangeError(`a film needs even sides; found ${width}x${height}`);
  if (!(await loadCodecs())) throw new CodecsMissing();
  const frames = countFrames(plan.durationSeconds, fps);
  let times: readonly TimeField[] = [];
  const format = new Mp4OutputFormat({
    fastStart: 'in-memory',
    onMoov: (moov, position) => {
      times = findCreationTimes(moov).map((field) => ({ ...field, offset: field.offset + position }));
    },
  });
  const output = new Output({ format, target: new FilePathTarget(path) });
  const picture = createPictureSource(width * height * frames > THOROUGH_PIXELS);
  output.addVideoTrack(picture, { frameRate: fps });
  const sound = plan.sound === null ? null : await createSoundSource();
  if (sound !== null) output.addAudioTrack(sound.source);
  try {
    await output.start();
    if (sound !== null) await addSound(sound, plan.sound!, frames / fps);
    for (let frame = 0; frame < frames; frame++) {
      using sample = new VideoSample(paint(frame), {
        format: 'RGBX',
        codedWidth: width,
        codedHeight: height,
        timestamp: frame / fps,
        duration: 1 / fps,
      });
      await picture.add(sample);
      onFrame(frame + 1, frames);
    }
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  await eraseTimes(path, times);
}

/** Films cannot be made, or looked into, without the optional package. */
export class CodecsMissing extends Error {
  constructor() {
    super(
      'films need the optional package @mediabunny/server, which is not installed; install it with `npm install @mediabunny/server`',
    );
    this.name = 'CodecsMissing';
  }
}

interface TimeField {
  readonly offset: number;
  readonly bytes: number;
}

function createPictureSource(fast: boolean): VideoSampleSource {
  return new VideoSampleSource({
    codec: 'avc',
    // A fixed quantizer: nothing depends on how fast the machine was.
    quality: new Quality({ quantizer: fast ? 20 : 22 }),
    latencyMode: fast ? 'realtime' : 'quality',
    keyFrameInterval: 2,
    hardwareAcceleration: 'prefer-software',
  });
}

interface Sound {
  readonly source: AudioSampleSource;
  readonly packetSamples: number;
}

async function createSoundSource(): Promise<Sound> {
  const options = { numberOfChannels: 2, sampleRate: SAMPLE_RATE } as const;
  const codec = (await canEncodeAudio('aac', options)) ? 'aac' : 'opus';
  return {
    source: new AudioSampleSource({ codec, quality: new Quality({ bitrate: 128_000 }) }),
    packetSamples: PACKET_SAMPLES[codec],
  };
}

/** Sound comes in whole packets. Whole ones that end before the pictures do keep the file exactly as long as it was ordered. */
async function addSound(sound: Sound, samples: Float32Array, seconds: number): Promise<void> {
  const packets = Math.max(2, Math.floor((seconds * SAMPLE_RATE) / sound.packetSamples));
  const frames = Math.min(samples.length / 2, (packets - 1) * sound.packetSamples);
  for (let from = 0; from < frames; from += SAMPLE_RATE) {
    const data = samples.subarray(from * 2, Math.min(frames, from + SAMPLE_RATE) * 2);
    using sample = new AudioSample({
      data,
      format: 'f32',
      numberOfChannels: 2,
      sampleRate: SAMPLE_RATE,
      timestamp: from / SAMPLE_RATE,
    });
    await sound.source.add(sample);
  }
  sound.source.close();
}

/** The muxer writes the present time into several headers, so that equal films would differ. */
async function eraseTimes(path: string, fields: readonly TimeField[]): Promise<void> {
  const file = await open(path, 'r+');
  try {
    for (const { offset, bytes } of fields) await file.write(Buffer.alloc(bytes), 0, bytes, offset);
  } finally {
    await file.close();
  }
}
