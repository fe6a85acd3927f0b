import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgressBar } from './progress-bar.ts';

function stream(isTTY: boolean) {
  const written: string[] = [];
  const fake = { isTTY, columns: 40, write: (text: string) => written.push(text) > 0 };
  return { written, stream: fake as unknown as NodeJS.WriteStream };
}

test('on a terminal the bar is redrawn in place, within the width, and taken away', () => {
  const { written, stream: terminal } = stream(true);
  const bar = createProgressBar(true, terminal);
  bar.draw(50, 'processing, about 120 s to go');
  bar.draw(50, 'processing, about 120 s to go');
  bar.clear();
  assert.equal(written.length, 2);
  assert.equal(written[0], `\r\x1b[K${'█'.repeat(5)}${'░'.repeat(5)}  50 %  processing, about 120`);
  assert.equal(written[1], '\r\x1b[K');
});

test('nothing is drawn where nobody sees it', () => {
  for (const [visible, isTTY] of [
    [true, false],
    [false, true],
  ] as const) {
    const { written, stream: sink } = stream(isTTY);
    const bar = createProgressBar(visible, sink);
    bar.draw(50, 'processing');
    bar.clear();
    assert.deepEqual(written, []);
  }
});
