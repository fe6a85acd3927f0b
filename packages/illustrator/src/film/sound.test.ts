import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeSound, type Mood, SAMPLE_RATE } from './sound.ts';

const SILENCE: Mood = { wind: 0, waves: 0, rain: 0, crickets: 0, birds: 0, chord: 0, root: 110, bright: true };

function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

/** How often the left side crosses zero in a second: low for a rumble, high for a hiss. */
function crossings(samples: Float32Array): number {
  let count = 0;
  for (let at = 2; at < samples.length; at += 2) if (samples[at]! * samples[at - 2]! < 0) count++;
  return count / (samples.length / 2 / SAMPLE_RATE);
}

describe('the sound of a film', () => {
  it('has exactly the length asked for, in two channels', () => {
    assert.equal(composeSound(SILENCE, 1, 1.25).length, 1.25 * SAMPLE_RATE * 2);
  });

  it('is silent when nothing sounds', () => {
    assert.equal(loudness(composeSound(SILENCE, 1, 0.5)), 0);
  });

  for (const voice of ['wind', 'waves', 'rain', 'crickets', 'birds', 'chord'] as const) {
    it(`makes ${voice} audible, and louder when there is more of it`, () => {
      const some = loudness(composeSound({ ...SILENCE, [voice]: 0.3 }, 5, 3));
      const much = loudness(composeSound({ ...SILENCE, [voice]: 0.9 }, 5, 3));
      assert.ok(some > 0.0005, `${some}`);
      assert.ok(much > some * 1.5, `${some} -> ${much}`);
    });
  }

  it('tells rain from wind', () => {
    const rain = crossings(composeSound({ ...SILENCE, rain: 1 }, 5, 1));
    const wind = crossings(composeSound({ ...SILENCE, wind: 1 }, 5, 1));
    assert.ok(rain > wind * 3, `${rain} and ${wind}`);
  });

  it('is the same for the same seed and another for another', () => {
    const mood = { ...SILENCE, wind: 0.5, birds: 0.5 };
    assert.deepEqual(composeSound(mood, 7, 0.5), composeSound(mood, 7, 0.5));
    assert.notDeepEqual(composeSound(mood, 7, 0.5), composeSound(mood, 8, 0.5));
  });

  it('stays within bounds and begins and ends in silence', () => {
    const samples = composeSound(
      { wind: 1, waves: 1, rain: 1, crickets: 1, birds: 1, chord: 1, root: 110, bright: false },
      3,
      1,
    );
    assert.ok(samples.every((sample) => Math.abs(sample) <= 1));
    assert.ok(Math.abs(samples[0]!) + Math.abs(samples.at(-1)!) < 1e-6);
  });
});
