import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesIn } from './output-list.ts';
import { readAnswer } from './read-answer.ts';

const MOST_VALUES = 100_000;

async function* inChunks(text: string, length: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function read(text: string, { hasFiles = false, chunk = 65_536 } = {}) {
  return await readAnswer(inChunks(text, chunk), { hasFiles, expectedBytes: 0, mostValues: MOST_VALUES });
}

test('an answer of nothing but quotes, brackets or addresses is no JSON', async () => {
  for (const part of ['"', '"",', '\\', '[', '[],', '{},', '"https://a.example/",', ',', ' ', '0,', 'NaN,', '"NaN,'])
    for (const hasFiles of [false, true])
      assert.equal((await read(`[${part.repeat(20_000)}`, { hasFiles })).body, undefined, part);
});

test('numbers that JSON lacks are read as null, and a text that has their names stays as it is', async () => {
  const text = '{"a":NaN,"b":[Infinity,-Infinity, -nan],"c":"NaN, \\"Infinity\\"","NaN":inf,"d":1}';
  const body = { a: null, b: [null, null, null], c: 'NaN, "Infinity"', NaN: null, d: 1 };
  for (const hasFiles of [false, true]) assert.deepEqual((await read(text, { hasFiles })).body, body);
  assert.equal((await read('{"a":NaN')).body, undefined);
  assert.equal((await read('null')).body, null);
});

test('others have their turn while a long answer is read, and one byte at a time is no more memory', async () => {
  let turns = 0;
  let timer = setImmediate(function turn() {
    turns++;
    timer = setImmediate(turn);
  });
  const { text } = await read(`["${'fox '.repeat(60_000)}"]`, { chunk: 1 });
  clearImmediate(timer);
  assert.equal(text.length, 240_004);
  assert.ok(turns >= 20, `${turns} turns`);
});

test('an answer is parsed up to its limits of values and levels, whatever its chunks', async () => {
  const list = (values: number) => `[${'0,'.repeat(values - 2)}0]`;
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  for (const chunk of [7, 65_536]) {
    assert.equal(((await read(list(MOST_VALUES), { chunk })).body as unknown[]).length, MOST_VALUES - 1);
    assert.equal((await read(list(MOST_VALUES + 1), { chunk })).body, undefined);
    assert.ok(Array.isArray((await read(nested(64), { chunk })).body));
    assert.equal((await read(nested(65), { chunk })).body, undefined);
  }
  assert.deepEqual((await read('\ufeff{"a":"ü"}', { chunk: 1 })).body, { a: 'ü' });
  const page = await read('<html>');
  assert.deepEqual(page, { text: '<html>', body: undefined, unread: Uint8Array.from(Buffer.from('<html>')) });
});

test('of the addresses in a result the first 64 are outputs', () => {
  const all = Array.from({ length: 1_000 }, (_, index) => `https://a.example/${index}.png`);
  assert.deepEqual(addressesIn({ a: [all[0]!, 7, null], b: { c: all.slice(1) } }), all.slice(0, 64));
  assert.deepEqual(addressesIn('none'), []);
});
