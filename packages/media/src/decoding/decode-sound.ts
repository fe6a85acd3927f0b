import { type AudioSample, AudioSampleSink } from 'mediabunny';
import { loadCodecs } from './codecs.ts';
import { openFilm } from './measure-film.ts';

/**
 * Returns a file's sound resampled, as interleaved samples of two channels, left first. If the sound is shorter than
 * requested, silence follows.
 * Null when the codecs are not installed or cannot decode it.
 */
export async function decodeSound(path: string, seconds: number, sampleRate: number): Promise<Float32Array | null> {
  if (!(await loadCodecs())) return null;
  using input = openFilm(path);
  const out = new Float32Array(Math.round(seconds * sampleRate) * 2);
  try {
    const track = await input.getPrimaryAudioTrack();
    if (track === null) return null;
    const start = Math.max(0, await track.getFirstTimestamp());
    for await (const sample of new AudioSampleSink(track).samples(start, start + seconds)) {
      addSample(out, sample, start, sampleRate);
      sample.close();
    }
    return out;
  } catch {
    return null;
  }
}

/** Writes a piece of sound to its position in the output, resampled to the nearest earlier sample. */
function addSample(out: Float32Array, sample: AudioSample, start: number, sampleRate: number): void {
  const left = plane(sample, 0);
  const right = sample.numberOfChannels > 1 ? plane(sample, 1) : left;
  const first = Math.max(0, Math.round((sample.timestamp - start) * sampleRate));
  const length = Math.round((sample.timestamp + sample.duration - start) * sampleRate) - first;
  for (let step = 0; step < length && (first + step) * 2 + 1 < out.length; step++) {
    const from = Math.min(left.length - 1, Math.floor((step * sample.sampleRate) / sampleRate));
    out[(first + step) * 2] = left[from]!;
    out[(first + step) * 2 + 1] = right[from]!;
  }
}

function plane(sample: AudioSample, planeIndex: number): Float32Array {
  const values = new Float32Array(sample.numberOfFrames);
  sample.copyTo(values, { planeIndex, format: 'f32-planar' });
  return values;
}
