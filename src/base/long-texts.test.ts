import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprint, fingerprintInSlices } from './canonical-json.ts';
import { keepLongTexts, LONGEST_PLAIN_TEXT, longTextOf, withWholeTexts } from './long-texts.ts';

const TEXT = `data:image/png;base64,${'Zm94'.repeat(50_000)}`;

function keep() {
  const body = Buffer.from(`{"a":"${TEXT}"}`);
  let freed = 0;
  const texts = keepLongTexts(body, () => {
    freed++;
  });
  const standIn = texts.add({ start: 6, end: 6 + TEXT.length });
  return { texts, standIn, freed: () => freed };
}

test('a stand-in begins like its text, is longer than any other text may be, and leads to the text', () => {
  const { texts, standIn } = keep();
  assert.ok(standIn.length > LONGEST_PLAIN_TEXT);
  assert.ok(TEXT.startsWith(standIn.slice(0, LONGEST_PLAIN_TEXT)));
  assert.deepEqual(withWholeTexts({ a: [standIn, 'fox', 1, null] }), { a: [TEXT, 'fox', 1, null] });
  assert.equal(longTextOf(TEXT), null);
  texts.release();
});

test('a request has the same fingerprint with stand-ins as with its texts', async () => {
  const { texts, standIn } = keep();
  const [whole, short] = [TEXT, standIn].map((text) => ({ path: '/v1/images', body: { b: 'ä', a: [text, text] } }));
  assert.equal(fingerprint(short), fingerprint(whole));
  assert.equal(await fingerprintInSlices(short), fingerprint(whole));
  texts.release();
});

test('when a request ends its texts are forgotten, and one that is still read causes an error', () => {
  const { texts, standIn, freed } = keep();
  const long = longTextOf(standIn);
  assert.equal(long?.length, TEXT.length);
  texts.release();
  assert.equal(freed(), 1);
  assert.equal(longTextOf(standIn), null);
  assert.throws(() => long?.bytes(0, 4), /connection was closed/);
});
