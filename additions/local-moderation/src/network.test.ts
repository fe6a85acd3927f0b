import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNetwork } from './find-network.ts';
import { CONTENTS, readNetwork, SIDE } from './network.ts';

type Paint = (x: number, y: number, channel: number) => number;

const MIDDLE = SIDE / 2;
/** Pictures, with the likelihoods that TensorFlow.js 4.22.0 computes with the same weights. */
const PICTURES: Readonly<Record<string, readonly [Paint, readonly number[]]>> = {
  ramp: [(x, y, channel) => [x, y, (x + y) >> 1][channel] ?? 0, [0.0738, 0.02579, 0.897719, 0.001247, 0.001444]],
  rings: [
    (x, y, channel) => (Math.floor(Math.hypot(x - MIDDLE, y - MIDDLE) / 8 + channel) % 2) * 200 + 20,
    [0.00031, 0.000255, 0.999428, 0.000005, 0.000002],
  ],
  grain: [
    (x, y, channel) => ([224, 172, 140][channel] ?? 0) - ((x * 7 + y * 3) % 16),
    [0.161018, 0.234546, 0.601113, 0.000709, 0.002614],
  ],
};

test('the network finds what TensorFlow.js finds with the same weights', () => {
  const network = findNetwork();
  assert.ok(network !== null);
  const judge = readNetwork(network);
  for (const [name, [paint, expected]] of Object.entries(PICTURES)) {
    const bytes = Array.from({ length: SIDE * SIDE * 3 }, (_, index) => {
      const pixel = Math.floor(index / 3);
      return paint(pixel % SIDE, Math.floor(pixel / SIDE), index % 3);
    });
    const found = judge(Uint8Array.from(bytes));
    for (const [index, content] of CONTENTS.entries())
      assert.ok(Math.abs(found[content] - (expected[index] ?? 0)) < 1e-5, `${name}: ${content} ${found[content]}`);
  }
});
