import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorCost } from '@darkroom-service/testing';
import fc from 'fast-check';
import {
  BELOW,
  foldText,
  ROWS_AT_A_TIME,
  type ScanQuestion,
  scanInSlices,
  scanSlice,
  type TextRow,
} from './scan-texts.ts';

const idOf = (place: number) => `row_${String(9_999 - place).padStart(4, '0')}`;

/** Rows from the newest to the oldest, as a database gives them: a page at a time below an id. */
function readerOf(texts: readonly string[]) {
  const rows = texts.map(
    (prompt, place): TextRow => ({ id: idOf(place), text: 'm', json: JSON.stringify({ prompt }) }),
  );
  return async (_sql: string, [below]: readonly unknown[]) =>
    rows.filter(({ id }) => id < (below as string)).slice(0, ROWS_AT_A_TIME);
}

function question(words: readonly string[], start = '~'): ScanQuestion {
  return { sql: 'select', parameters: [BELOW], start, field: 'prompt', words, wanted: 10 };
}

/** Scans in slices, as a report thread with this clock runs them. */
function scanTexts(read: Parameters<typeof scanSlice>[0], asked: ScanQuestion, cpuMs: () => number = () => 0) {
  return scanInSlices(asked, (slice) => scanSlice(read, slice, cpuMs));
}

/** A clock that each look moves on. */
function clockOf(msPerLook: number): () => number {
  let ms = 0;
  return () => {
    ms += msPerLook;
    return ms;
  };
}

test('a scan that has used its CPU time answers what it found and where it goes on, row by row to the end', async () => {
  const read = readerOf(Array.from({ length: 250 }, (_, place) => (place % 50 === 0 ? 'A FOX' : 'an owl')));
  const found: string[] = [];
  let scans = 0;
  for (let start: string | null = '~'; start !== null; scans++) {
    const page = await scanTexts(read, question(['fox'], start), clockOf(5));
    found.push(...page.ids);
    start = page.nextAfter;
  }
  assert.deepEqual(found, [0, 50, 100, 150, 200].map(idOf));
  assert.equal(scans, 5, '250 ms are 50 rows of 5 ms');
});

test('a scan examines a row even if its time is over, so that a search always comes to an end', async () => {
  const read = readerOf(['an owl', 'a fox']);
  const first = await scanTexts(read, question(['fox']), clockOf(10_000));
  assert.deepEqual(first, { ids: [], nextAfter: idOf(0) });
  const second = await scanTexts(read, question(['fox'], idOf(0)), clockOf(10_000));
  assert.deepEqual(second, { ids: [idOf(1)], nextAfter: null });
});

test('characters are counted as they are compared', async () => {
  const prompt = '\u{FDFA}'.repeat(10_000);
  const { nextAfter } = await scanTexts(readerOf(Array<string>(60).fill(prompt)), question(['fox']), () => 0);
  const each = foldText(prompt).length + 2;
  assert.equal(nextAfter, idOf(Math.ceil(4_000_000 / each) - 1));
});

test('folding takes time in proportion to the length of a text, also where it is all marks', async () => {
  for (const marks of ['\u0316\u0300', '\u064B\u0651', '\uFF9E\u0334']) {
    const text = marks.repeat(50_000);
    const cost = await processorCost(() => foldText(text));
    assert.ok(cost < 20, `${cost} times a megabyte of JSON; without a cut it takes hundreds`);
  }
});

test('words are found in upper and lower case, with and without accents, however they are composed', () => {
  for (const [wanted, written] of [
    ['istanbul', 'İSTANBUL'],
    ['ISTANBUL', 'ıstanbul'],
    ['straße', 'STRASSE'],
    ['strasse', 'Straße'],
    ['STRAẞE', 'strasse'],
    ['café', 'CAFE\u0301'],
    ['cafe', 'Café'],
    ['οδος', 'ΟΔΟΣ'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ﬁlm', 'FILM'],
    ['smørrebrød', 'SMØRREBRØD'],
    ['Ñandú', 'nandu'],
  ] as const)
    assert.equal(foldText(written), foldText(wanted), `${wanted} ${written}`);
  // In other scripts a mark, or a part of a syllable, makes another letter.
  for (const [one, other] of [
    ['か', 'が'],
    ['가', '각'],
    ['की', 'कि'],
  ] as const)
    assert.ok(!foldText(other).includes(foldText(one)), `${one} ${other}`);
});

test('folding is stable, and blind to case and composition', () => {
  const letters = fc.constantFrom(...'aÄe\u0301\u0308\u0316ﬁ\u{FDFA}\uFF76\uFF9Eßẞİıσς가\u1100\u1161 ');
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 60 }), (parts) => {
      const text = parts.join('').replace(/[\p{M}\uFF9E\uFF9F]{20,}/gu, ' ');
      const folded = foldText(text);
      assert.equal(foldText(folded), folded);
      for (const same of [text.toUpperCase(), text.normalize('NFD'), text.normalize('NFC')])
        assert.equal(foldText(same), folded);
    }),
  );
});

test('rows that a filter leaves out are passed over, and other values than texts are no text', async () => {
  const rows: TextRow[] = [
    { id: 'c', text: 'fox', json: null },
    { id: 'b', text: 'Fox', json: '{"prompt":7}' },
    { id: 'a', text: 'owl', json: '{}' },
  ];
  assert.deepEqual(await scanTexts(async () => rows, question(['fox'])), { ids: ['b'], nextAfter: null });
});
