import { createRandom } from '../model/random.ts';
import type { Scene } from '../model/scene.ts';

export const SAMPLE_RATE = 48_000;

/** The loudness of each part of a film's sound, 0 to 1. */
export interface Mood {
  readonly wind: number;
  readonly waves: number;
  readonly rain: number;
  readonly crickets: number;
  readonly birds: number;
  readonly chord: number;
  /** The lowest note of the chord, in hertz; `bright` tells whether the chord is bright. */
  readonly root: number;
  readonly bright: boolean;
}

const ROOTS = [98, 110, 123.47, 130.81, 146.83] as const;
const BRIGHT = [1, 1.5, 2, 2.5, 3] as const;
const DARK = [1, 1.5, 2, 2.378, 3] as const;
const FADE_SECONDS = 0.25;

/** Chooses the sounds of a scene. */
export function readMood(scene: Scene): Mood {
  const { weather, time, world, seed } = scene;
  const outdoors = world === 'land';
  const dark = time === 'night' || time === 'dusk';
  const calm = outdoors && weather.rain + weather.snow < 0.2;
  const grown = scene.growth.length > 0 || scene.ground === 'meadow' || scene.backdrops.includes('forest');
  return {
    wind: outdoors ? 0.15 + 0.6 * weather.wind + 0.2 * weather.snow : 0.05,
    waves:
      world === 'underwater'
        ? 0.5
        : scene.ground === 'water' || scene.shore === 'water' || scene.ground === 'sand'
          ? 0.7
          : 0,
    rain: weather.rain,
    crickets: calm && grown && dark ? 0.4 : 0,
    birds: calm && grown && !dark ? 0.5 : 0,
    chord: outdoors ? 0.4 : 0.8,
    root: createRandom(seed, 'root').pick(ROOTS),
    bright: !dark && weather.rain < 0.3,
  };
}

/**
 * Composes the sound of a mood: interleaved left and right samples from −1 to 1, faded at both ends. The same mood,
 * seed and length give the same samples.
 */
export function composeSound(mood: Mood, seed: number, seconds: number): Float32Array {
  const frames = Math.round(seconds * SAMPLE_RATE);
  const samples = new Float32Array(frames * 2);
  for (const side of [0, 1] as const) {
    addNoise(samples, side, mood, seed);
    addChord(samples, side, mood);
    addCalls(samples, side, mood, seed);
  }
  fade(samples);
  return samples;
}

/** Adds noise: low for wind, in surges for waves, high for rain. */
function addNoise(samples: Float32Array, side: number, mood: Mood, seed: number): void {
  if (mood.wind + mood.waves + mood.rain === 0) return;
  const random = createRandom(seed, 'noise', side);
  const gustPhase = createRandom(seed, 'gust').between(0, 6);
  let dark = 0;
  let middle = 0;
  for (let at = side; at < samples.length; at += 2) {
    const time = at / 2 / SAMPLE_RATE;
    const white = random.next() * 2 - 1;
    dark += 0.012 * (white - dark);
    middle += 0.09 * (white - middle);
    const gust = 0.55 + 0.3 * Math.sin(time * 0.9 + gustPhase) + 0.15 * Math.sin(time * 2.3 + side);
    const surge = (0.5 + 0.5 * Math.sin(time * 1.15 + gustPhase)) ** 2;
    samples[at]! +=
      mood.wind * gust * dark * 1.6 + mood.waves * (0.15 + surge) * middle * 0.5 + mood.rain * (white - middle) * 0.09;
  }
}

function addChord(samples: Float32Array, side: number, mood: Mood): void {
  if (mood.chord === 0) return;
  const ratios = mood.bright ? BRIGHT : DARK;
  ratios.forEach((ratio, voice) => {
    const turn = (2 * Math.PI * mood.root * ratio * (side === 0 ? 0.9985 : 1.0015)) / SAMPLE_RATE;
    const loudness = (mood.chord * 0.07) / (1 + voice * 0.6);
    for (let at = side; at < samples.length; at += 2) {
      const frame = at / 2;
      const swell = 0.7 + 0.3 * Math.sin((frame / SAMPLE_RATE) * (0.35 + voice * 0.11) + voice);
      samples[at]! += loudness * swell * Math.sin(turn * frame);
    }
  });
}

/**
 * Adds calls: birds whistle now and then, crickets chirp in series. Each call has its own position between left and
 * right.
 */
function addCalls(samples: Float32Array, side: number, mood: Mood, seed: number): void {
  const seconds = samples.length / 2 / SAMPLE_RATE;
  const random = createRandom(seed, 'calls');
  for (let start = random.between(0.2, 1.2); start < seconds; start += random.between(0.5, 1.8)) {
    const pitch = random.between(2300, 3900);
    const bend = random.between(-900, 1400);
    const place = random.between(0.2, 0.8);
    const loudness = side === 0 ? 1 - place : place;
    if (mood.birds > 0)
      addWhistle(samples, side, { start, length: 0.16, pitch, bend, loudness: mood.birds * loudness * 0.12 });
    for (let chirp = 0; mood.crickets > 0 && chirp < 4; chirp++) {
      addWhistle(samples, side, {
        start: start + chirp * 0.055,
        length: 0.03,
        pitch: 4300,
        bend: 0,
        loudness: mood.crickets * loudness * 0.08,
      });
    }
  }
}

interface Whistle {
  readonly start: number;
  readonly length: number;
  readonly pitch: number;
  readonly bend: number;
  readonly loudness: number;
}

function addWhistle(samples: Float32Array, side: number, whistle: Whistle): void {
  const from = Math.floor(whistle.start * SAMPLE_RATE);
  const length = Math.floor(whistle.length * SAMPLE_RATE);
  for (let step = 0, phase = 0; step < length && (from + step) * 2 + side < samples.length; step++) {
    const part = step / length;
    phase += (2 * Math.PI * (whistle.pitch + whistle.bend * part)) / SAMPLE_RATE;
    samples[(from + step) * 2 + side]! += whistle.loudness * Math.sin(Math.PI * part) ** 2 * Math.sin(phase);
  }
}

function fade(samples: Float32Array): void {
  const frames = samples.length / 2;
  const length = Math.min(FADE_SECONDS * SAMPLE_RATE, frames / 2);
  for (let at = 0; at < samples.length; at++) {
    const frame = at >> 1;
    const edge = Math.min(1, frame / length, (frames - 1 - frame) / length);
    samples[at] = Math.max(-1, Math.min(1, samples[at]! * edge));
  }
}
