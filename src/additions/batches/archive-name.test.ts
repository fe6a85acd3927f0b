import assert from 'node:assert/strict';
import { win32 } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { archiveName } from './archive-name.ts';

const piece = fc.constantFrom(
  'CON',
  'nul',
  'com1',
  'LPT\u00b9',
  '.',
  ' ',
  '..',
  ':',
  '/',
  '\\',
  '*',
  '\0',
  '\x9b',
  '\ud83d',
  'fox',
  'e\u0301',
);

test('a name in an archive can be written on Windows, whatever text it is made of', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }), (pieces) => {
      const name = archiveName(pieces.join(''));
      assert.match(name, /^[^<>:"/\\|?*\p{Cc}]*[^<>:"/\\|?*\p{Cc}. ]$/u);
      assert.doesNotMatch(name, /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
      assert.equal(win32.basename(name), name);
      assert.ok(name.isWellFormed());
      assert.equal(archiveName(name), name);
    }),
  );
});

test('a name that every system takes stays as it is', () => {
  for (const name of ['fox', 'fox-2', 'fox 2', 'console', 'Füchse', '\u{1f98a}', 'a.b', '.hidden'])
    assert.equal(archiveName(name), name);
  for (const [text, name] of [
    ['CON', 'CON_'],
    ['nul.fox', 'nul_.fox'],
    ['a/b', 'a_b'],
    ['fox. .', 'fox'],
    ['...', '_'],
  ] as const)
    assert.equal(archiveName(text), name);
});
