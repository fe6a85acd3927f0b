import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import { drawTestMark } from './mark-test.ts';

test('the mark stands in the lower right corner, readable and small, in every size', () => {
  for (const [width, height] of [
    [64, 64],
    [64, 512],
    [512, 64],
    [1024, 1024],
    [1920, 1080],
  ] as const) {
    const canvas = createCanvas(width, height);
    const brush = canvas.getContext('2d');
    brush.fillStyle = '#3a6b50';
    brush.fillRect(0, 0, width, height);
    drawTestMark(canvas);
    const { data } = brush.getImageData(0, 0, width, height);
    const changed: [number, number][] = [];
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] !== 0x3a || data[at + 1] !== 0x6b) changed.push([(at / 4) % width, Math.floor(at / 4 / width)]);
    }
    assert.ok(changed.length > 100, `${width}x${height}: ${changed.length}`);
    assert.ok(
      changed.every(([x, y]) => x >= width * 0.4 && y >= height * 0.5),
      `${width}x${height}`,
    );
    assert.ok(changed.length < width * height * 0.2);
  }
});
