import {
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathTarget,
  type Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { MediaFault } from '../media-fault.ts';
import { openFilm } from './measure-film.ts';

type VideoConfig = VideoDecoderConfig;
type AudioConfig = AudioDecoderConfig;

interface Film {
  readonly input: Input;
  readonly video: InputVideoTrack;
  readonly audio: InputAudioTrack | null;
  readonly videoConfig: VideoConfig;
  readonly audioConfig: AudioConfig | null;
}

/**
 * Joins films into one, without encoding them again: the pictures and sounds stay as they are. The films must have the
 * same size and coding, as those of one model have. The format is that of the first film.
 * @throws MediaFault `unsupported` if they differ, with the number of the film
 */
export async function joinFilms(paths: readonly string[], into: string): Promise<void> {
  const films: Film[] = [];
  try {
    for (const path of paths) films.push(await open(path));
    const [first, ...others] = films;
    if (first === undefined) throw new MediaFault('unsupported', 'there is no video to join');
    for (const [index, other] of others.entries()) assertSame(first, other, index + 2);
    await write(films, first, into);
  } finally {
    for (const { input } of films) input.dispose();
  }
}

async function open(path: string): Promise<Film> {
  const input = openFilm(path);
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  const videoConfig = (await video?.getDecoderConfig()) ?? null;
  if (video === null || videoConfig === null) {
    input.dispose();
    throw new MediaFault('unsupported', 'the file has no video that can be joined');
  }
  return { input, video, audio, videoConfig, audioConfig: (await audio?.getDecoderConfig()) ?? null };
}

function assertSame(first: Film, other: Film, number: number): void {
  const sizes = [first, other].map(({ videoConfig: { codedWidth, codedHeight } }) => `${codedWidth}x${codedHeight}`);
  if (sizes[0] !== sizes[1])
    throw new MediaFault(
      'unsupported',
      `video 1 has ${sizes[0]} pixels and video ${number} ${sizes[1]}: expected one size`,
    );
  const isSame =
    codingOf(first.videoConfig) === codingOf(other.videoConfig) &&
    (first.audioConfig === null ||
      other.audioConfig === null ||
      codingOf(first.audioConfig) === codingOf(other.audioConfig));
  if (!isSame)
    throw new MediaFault(
      'unsupported',
      `video ${number} is coded otherwise than video 1: expected videos of one model and one setting`,
    );
}

/** Returns a text that is the same for tracks whose packets one decoder can read. */
function codingOf(config: VideoConfig | AudioConfig): string {
  const { codec, description } = config;
  const rate = 'sampleRate' in config ? `${config.sampleRate}/${config.numberOfChannels}` : '';
  return `${codec} ${rate} ${description === undefined ? '' : Buffer.from(bytesOf(description)).toString('base64')}`;
}

function bytesOf(data: NonNullable<VideoConfig['description']>): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data as ArrayBuffer);
}

async function write(films: readonly Film[], first: Film, into: string): Promise<void> {
  const isWebm = (await first.input.getFormat()).mimeType.includes('webm');
  const format = isWebm ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: 'in-memory' });
  const output = new Output({ format, target: new FilePathTarget(into) });
  const videoCodec = await first.video.getCodec();
  const sounding = films.find(({ audio }) => audio !== null);
  const audioCodec = (await sounding?.audio?.getCodec()) ?? null;
  if (videoCodec === null) throw new MediaFault('unsupported', 'the coding of the video is not known');
  const pictures = new EncodedVideoPacketSource(videoCodec);
  output.addVideoTrack(pictures, { rotation: await first.video.getRotation() });
  const sounds = audioCodec === null ? null : new EncodedAudioPacketSource(audioCodec);
  if (sounds !== null) output.addAudioTrack(sounds);
  await output.start();
  let offset = 0;
  let soundEnd = 0;
  for (const { video, audio, videoConfig, audioConfig } of films) {
    const start = await video.getFirstTimestamp();
    const addPictures = async () => {
      for await (const packet of new EncodedPacketSink(video).packets())
        await pictures.add(packet.clone({ timestamp: packet.timestamp - start + offset }), {
          decoderConfig: videoConfig,
        });
    };
    const addSounds = async () => {
      if (audio === null || audioConfig === null || sounds === null) return;
      for await (const packet of new EncodedPacketSink(audio).packets()) {
        const timestamp = packet.timestamp - start + offset;
        // The last packet of sound may reach into the next film.
        if (timestamp < soundEnd - 1e-6) continue;
        await sounds.add(packet.clone({ timestamp }), { decoderConfig: audioConfig });
        soundEnd = timestamp + packet.duration;
      }
    };
    await Promise.all([addPictures(), addSounds()]);
    offset += (await video.computeDuration()) - start;
  }
  await output.finalize();
}
