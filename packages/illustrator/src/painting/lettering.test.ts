import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakLines, strokeText } from './lettering.ts';

test('lines are about equally long and lose no word', () => {
  assert.deepEqual(breakLines('OPEN'), ['OPEN']);
  const lines = breakLines('sphinx of black quartz judge my vow');
  assert.ok(lines.length > 1 && lines.length <= 3);
  assert.equal(lines.join(' '), 'sphinx of black quartz judge my vow');
});

test('every letter is drawn, and wider words are wider', () => {
  assert.ok(strokeText('WWW').width > strokeText('III').width);
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ÄÖÜÉÑÅÇ&?!') {
    assert.notEqual(strokeText(letter).path.toSVGString(), '', letter);
  }
  assert.notEqual(strokeText('Ä').path.toSVGString(), strokeText('A').path.toSVGString());
});

test('a missing letter is drawn as a box, not a gap', () => {
  assert.equal(strokeText('字').path.toSVGString(), strokeText('語').path.toSVGString());
  assert.notEqual(strokeText('字').path.toSVGString(), '');
});
