import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  CHANNEL_STEP,
  CHANNELS_AT_ONCE,
  compileConvolution,
  PIXELS_AT_ONCE,
  writeConvolutions,
} from './convolution-program.ts';
import { webAssembly } from './web-assembly.ts';

const STRIDE = 8;
const STRIDES = [{ input: STRIDE * 4, output: CHANNELS_AT_ONCE * 4 }];

test('a row of the program is the sum of products that a plain loop computes, in whatever width and depth', () => {
  const memory = new webAssembly.Memory({ initial: 1 });
  const numbers = new Float32Array(memory.buffer);
  const [convolve] = compileConvolution(memory, STRIDES);
  fc.assert(
    fc.property(
      fc.integer({ min: PIXELS_AT_ONCE, max: 3 * PIXELS_AT_ONCE + 1 }),
      fc.constantFrom(CHANNEL_STEP, 2 * CHANNEL_STEP),
      fc.boolean(),
      fc.integer(),
      (width, channels, isRectified, seed) => {
        let state = seed;
        for (let n = 0; n < numbers.length; n++) {
          state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
          numbers[n] = state / 2 ** 31;
        }
        const row = (width + 2) * STRIDE;
        const [input, weights] = [0, 3 * row];
        const bias = weights + 9 * channels * CHANNELS_AT_ONCE;
        const output = bias + CHANNELS_AT_ONCE;
        const expected: number[] = [];
        for (let x = 0; x < width; x++)
          for (let made = 0; made < CHANNELS_AT_ONCE; made++) {
            let sum = numbers[bias + made] as number;
            for (let cell = 0; cell < 9; cell++)
              for (let channel = 0; channel < channels; channel++) {
                const place = input + Math.floor(cell / 3) * row + (x + (cell % 3)) * STRIDE + channel;
                const weight = weights + (cell * channels + channel) * CHANNELS_AT_ONCE + made;
                sum += (numbers[place] as number) * (numbers[weight] as number);
              }
            expected.push(isRectified ? Math.max(0, sum) : sum);
          }
        const [at, by, from, to] = [input, weights, bias, output].map((place) => place * 4) as [
          number,
          number,
          number,
          number,
        ];
        convolve?.(at, by, from, to, width, channels, row * 4, isRectified ? 0 : Number.NEGATIVE_INFINITY);
        for (const [n, value] of expected.entries())
          assert.ok(Math.abs((numbers[output + n] as number) - value) < 1e-4, `${n} of ${width}x${channels}`);
      },
    ),
    { numRuns: 50 },
  );
});

test('the program is valid with and without fused multiplication', () => {
  for (const isFused of [true, false]) assert.ok(webAssembly.validate(writeConvolutions(STRIDES, isFused)));
});
