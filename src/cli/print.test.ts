import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLog } from '../base/log.ts';
import { show, table } from './output.ts';
import { createProgressBar } from './progress-bar.ts';

const CONTROL = /[^\P{Cc}\t\n]/u;
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom('\x1b', '\x07', '\r', '\x7f', '\x9b', '\n', 'ä'), fc.string()),
});

/** Returns what an act writes to standard output. */
function written(act: () => void): string {
  const pieces: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (piece: string | Uint8Array) => pieces.push(String(piece)) > 0;
  try {
    act();
  } finally {
    process.stdout.write = write;
  }
  return pieces.join('');
}

test('no control character of a text reaches the terminal, in whatever format a command prints it', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const text = table(['NAME', 'ID'], [[name, 'key_1']], 80);
      for (const options of [{}, { json: true }, { plain: true }])
        assert.doesNotMatch(
          written(() => show(options, { json: { name }, text, plain: name })),
          CONTROL,
        );
      assert.deepEqual(JSON.parse(written(() => show({ json: true }, { json: { name }, text }))), { name });
    }),
  );
});

test('control characters are shown by their codes, and a name with a line end stays in its line', () => {
  const name = '\x1b]0;owned\x07\x9b31m\nkey_2  admin';
  const shown = written(() => show({}, { json: null, text: table(['NAME', 'ID'], [[name, 'key_1']], 200) }));
  assert.equal(shown.split('\n')[1], '\\x1b]0;owned\\x07\\x9b31m\\x0akey_2  admin  key_1');
  assert.match(
    written(() => show({ json: true }, { json: name, text: '' })),
    /\\u001b\]0;owned\\u0007\\u009b31m\\n/,
  );
});

test('the note of a progress bar and a line of the log hold no control character of others', () => {
  const drawn: string[] = [];
  const stream = { isTTY: true, columns: 200, write: (text: string) => drawn.push(text) > 0 };
  createProgressBar(true, stream as unknown as NodeJS.WriteStream).draw(50, 'a \x1b[2J fox\x9b');
  assert.match(drawn.join(''), /a \\x1b\[2J fox\\x9b$/);
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }).info(
    { reason: '\x1b]0;x\x07 \x7f \x9b31m' },
    'refused \x9b',
  );
  assert.doesNotMatch(lines.join('').trimEnd(), CONTROL);
  assert.equal(JSON.parse(lines.join('')).reason, '\x1b]0;x\x07 \x7f \x9b31m');
});

test('only one file of the service writes texts to the standard streams', () => {
  const root = new URL('../../', import.meta.url);
  const paths = globSync('{src,additions/*/src}/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'));
  const direct = paths.filter((path) =>
    /std(out|err)\.write\(|console\.\w+\(/.test(readFileSync(new URL(path, root), 'utf8')),
  );
  // The other writes lines of the log, which are JSON.
  assert.deepEqual(
    direct.filter((path) => path !== 'src/cli/print.ts'),
    ['src/cli/run-service.ts'],
  );
});
