import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorCost } from '@darkroom-service/testing';
import { readAnswer } from './read-answer.ts';

const MEGABYTES = 4;
/** The dearest part costs a fifth of this. */
const MOST_COST_PER_MEGABYTE = 15;
const CHUNK_BYTES = 65_536;
const PARTS = [
  '"',
  '"",',
  '\\',
  '[',
  '[],',
  '{},',
  '"https://a.example/",',
  ',',
  ' ',
  '\n',
  '0,',
  `"${'A'.repeat(4_096)}",`,
  'NaN,',
  '"NaN,',
  '\\"NaN,',
];

async function* inChunks(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

test('an answer of nothing but quotes, brackets or addresses costs hardly more than its bytes', async () => {
  const dear: string[] = [];
  for (const part of PARTS)
    for (const hasFiles of [false, true]) {
      const text = `[${part.repeat((MEGABYTES * 2 ** 20) / part.length)}`;
      let body: unknown;
      const cost = await processorCost(async () => {
        body = (await readAnswer(inChunks(text), { hasFiles, expectedBytes: 0, mostValues: 100_000 })).body;
      });
      assert.equal(body, undefined);
      const each = cost / MEGABYTES;
      if (each > MOST_COST_PER_MEGABYTE)
        dear.push(`${part.slice(0, 10)} ${hasFiles}: ${each} times a megabyte of JSON`);
    }
  assert.deepEqual(dear, []);
});
