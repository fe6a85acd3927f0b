import {
  AudioSample,
  AudioSampleSource,
  canEncodeAudio,
  type EncodedPacket,
  Mp4OutputFormat,
  NullTarget,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
} from 'mediabunny';
import { SAMPLE_RATE } from './sound.ts';

/** The encoded packets of a film's video or audio track, in decoding order. */
export interface EncodedTrack<Codec> {
  readonly codec: Codec;
  readonly packets: readonly {
    readonly packet: EncodedPacket;
    readonly metadata: EncodedVideoChunkMetadata | EncodedAudioChunkMetadata | undefined;
  }[];
}

/** The muxers' names for H.264, VP9 and AV1. */
export type PictureCodec = keyof typeof QUANTIZERS;
export type SoundCodec = keyof typeof PACKET_SAMPLES;

/** Returns the RGBA pixels of a frame. Called in order, one frame at a time. */
export type PaintFrame = (frame: number) => Uint8Array | Promise<Uint8Array>;

interface Frames {
  readonly codec: PictureCodec;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly frames: number;
}

/** Pixels, per frame or in total, beyond which films are encoded for speed instead of size. */
const THOROUGH_FRAME_PIXELS = 900_000;
const THOROUGH_FILM_PIXELS = 200_000_000;

/** Fixed quantizers, so that the result does not depend on the machine's speed. Each codec has its own scale. */
const QUANTIZERS = {
  avc: { thorough: 22, fast: 20 },
  vp9: { thorough: 16, fast: 20 },
  av1: { thorough: 96, fast: 96 },
} as const;

/** Samples per packet of sound. The encoder adds one packet at the start. */
const PACKET_SAMPLES = { aac: 1024, opus: 960 } as const;

/**
 * Encodes the frames with a software encoder, so that the same frames give the same packets.
 * @param paint and `onFrame` as for `writeFilm`
 */
export async function encodePicture(
  { codec, width, height, fps, frames }: Frames,
  paint: PaintFrame,
  onFrame: (done: number, of: number) => void,
): Promise<EncodedTrack<PictureCodec>> {
  const fast = width * height > THOROUGH_FRAME_PIXELS || width * height * frames > THOROUGH_FILM_PIXELS;
  const packets: EncodedTrack<PictureCodec>['packets'][number][] = [];
  const source = new VideoSampleSource({
    codec,
    quality: new Quality({ quantizer: QUANTIZERS[codec][fast ? 'fast' : 'thorough'] }),
    latencyMode: fast ? 'realtime' : 'quality',
    keyFrameInterval: 2,
    hardwareAcceleration: 'prefer-software',
    onEncodedPacket: (packet, metadata) => packets.push({ packet, metadata: withColours(metadata) }),
  });
  await encode(
    (output) => output.addVideoTrack(source, { frameRate: fps }),
    async () => {
      for (let frame = 0; frame < frames; frame++) {
        using sample = new VideoSample(await paint(frame), {
          format: 'RGBX',
          codedWidth: width,
          codedHeight: height,
          timestamp: frame / fps,
          duration: 1 / fps,
        });
        await source.add(sample);
        onFrame(frame + 1, frames);
      }
    },
  );
  return { codec, packets };
}

/**
 * Declares the colour matrix. The encoder always uses that of SD television but does not declare it, and players assume
 * another one for large films.
 */
function withColours(metadata: EncodedVideoChunkMetadata | undefined): EncodedVideoChunkMetadata | undefined {
  if (metadata?.decoderConfig === undefined) return metadata;
  const colorSpace = { primaries: 'bt709', transfer: 'bt709', matrix: 'smpte170m', fullRange: false } as const;
  return { ...metadata, decoderConfig: { ...metadata.decoderConfig, colorSpace } };
}

/**
 * Encodes sound. Sound consists of whole packets; only those that end before the video are kept, so that the file has
 * exactly the ordered length.
 * @param wanted Opus replaces AAC if AAC is not available.
 */
export async function encodeSound(
  samples: Float32Array,
  seconds: number,
  wanted: SoundCodec,
): Promise<EncodedTrack<SoundCodec>> {
  const format = { numberOfChannels: 2, sampleRate: SAMPLE_RATE } as const;
  const codec: SoundCodec = (await canEncodeAudio(wanted, format)) ? wanted : 'opus';
  const packetSamples = PACKET_SAMPLES[codec];
  const frames = Math.min(
    samples.length / 2,
    Math.max(1, Math.floor((seconds * SAMPLE_RATE) / packetSamples) - 1) * packetSamples,
  );
  const packets: EncodedTrack<SoundCodec>['packets'][number][] = [];
  const source = new AudioSampleSource({
    codec,
    quality: new Quality({ bitrate: 128_000 }),
    onEncodedPacket: (packet, metadata) => packets.push({ packet, metadata }),
  });
  await encode(
    (output) => output.addAudioTrack(source),
    async () => {
      for (let from = 0; from < frames; from += SAMPLE_RATE) {
        const data = samples.subarray(from * 2, Math.min(frames, from + SAMPLE_RATE) * 2);
        using sample = new AudioSample({ data, format: 'f32', ...format, timestamp: from / SAMPLE_RATE });
        await source.add(sample);
      }
    },
  );
  return { codec, packets };
}

/** Runs an encoder. It needs an output, but only its packets are used. */
async function encode(addTrack: (output: Output) => void, feed: () => Promise<void>): Promise<void> {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new NullTarget() });
  addTrack(output);
  try {
    await output.start();
    await feed();
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
}
