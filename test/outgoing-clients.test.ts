import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const sources = globSync(['src/**/*.ts', '{packages,additions}/*/src/**/*.ts'], { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('packages/testing/'))
  .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')] as const);

const withText = (text: RegExp) => sources.flatMap(([path, source]) => (text.test(source) ? [path] : [])).sort();

test('every client of undici counts the pieces of an answer and bounds its headers', () => {
  const clients = withText(/new (?:Proxy)?Agent\(/);
  assert.deepEqual(clients, ['additions/local/src/transport.ts', 'packages/media/src/net/connection-pools.ts']);
  for (const [path, source] of sources) {
    if (!clients.includes(path)) continue;
    assert.match(source, /\.compose\([^)]*refusePieces\)/, path);
    assert.match(source, /maxHeaderSize: MAX_HEADER_BYTES/, path);
  }
});

test('only an answer to an order and its result are read in spite of tiny pieces', () => {
  assert.deepEqual(withText(/joinsPieces: true/), [
    'additions/engines-command/src/trial/try-order.ts',
    'packages/engines/src/grid/grid-engine.ts',
    'packages/engines/src/local/local-engine.ts',
    'packages/engines/src/upstream/upstream-call.ts',
    'src/worker/collect/download.ts',
  ]);
});
