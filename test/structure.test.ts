import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { longFunctions } from './structure/long-functions.ts';
import { measureRooms } from './structure/measure-rooms.ts';
import { isProgram, readSources } from './structure/sources.ts';

const MAX_LINES = 100;
/** Functions that are longer, each with its lines. Both only fall. */
const LONGER: Readonly<Record<string, number>> = {
  // Closures over one state: tests change single methods of the object by spreading it, which a class would not allow.
  'src/routing/routing.ts createRouting': 172,
  // A sequence in which each part needs the earlier ones: a function for some would have ten parameters.
  'src/service/open-parts.ts openParts': 132,
  // On the way of an order, whose functions are counted: each part would be one more.
  'src/orders/judge-order.ts judgeOrder': 116,
};

const CHECKOUT = {
  'packages/contract/package.json':
    '{ "name": "@darkroom-service/contract", "exports": { "./words": "./src/words.ts" } }',
  'packages/contract/src/words.ts': "export const MODES = ['test'];\nexport type Mode = string;\n",
  'src/orders/place-order.ts':
    "import type { Mode } from '@darkroom-service/contract/words';\nimport { insert } from './insert.ts';\nimport { judgeBatch } from './batches/judge.ts';\n",
  'src/orders/insert.ts': 'export async function insert() {}\n',
  'src/orders/batches/judge.ts': "import { insert } from '../insert.ts';\nexport class Judge {}\n",
  'src/orders/place-order.test.ts': "import { serve } from '../http/serve.ts';\n",
  'src/http/serve.ts': "export const serve = () => import('../orders/place-order.ts');\n",
};

test('a room is measured by what it holds and what others import of it, and a feature by what the kernel imports', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'darkroom-structure-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(CHECKOUT)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const measures = measureRooms(readSources(root));
  assert.equal(measures['  contract'], '2 1 1+1 100%');
  assert.equal(measures['  orders'], '6 3 2+0 33%');
  assert.equal(measures['  http'], '1 1 1+0 0%');
  assert.equal(measures['lines of the kernel'], '5');
  assert.equal(measures['imports from the kernel to what leaves it'], '1');
  assert.equal(measures['  batches'], '1');
});

test(`no function of src and packages has more than ${MAX_LINES} lines`, () => {
  const { texts } = readSources(join(import.meta.dirname, '..'));
  const found = [...texts].flatMap(([path, text]) =>
    /^(?:src|packages)\//.test(path) && isProgram(path)
      ? longFunctions(text, MAX_LINES).map(({ name, lines }) => [`${path} ${name}`, lines] as const)
      : [],
  );
  assert.deepEqual(
    found.filter(([name, lines]) => lines > (LONGER[name] ?? 0)).map(([name, lines]) => `${name}: ${lines} lines`),
    [],
  );
  const names = new Set<string>(found.map(([name]) => name));
  const gone = Object.keys(LONGER).filter((name) => !names.has(name));
  assert.deepEqual(gone, [], 'no longer functions, to be taken off the list');
});

test('the lines of a function count from its head to its closing brace', () => {
  const text = [
    'export async function make(',
    '  size: number,',
    '): Promise<void> {',
    '  if (size > 1) {',
    '    run();',
    '  }',
    '  const inner = () => {',
    '    run();',
    '  };',
    '}',
    'class Pool {',
    '  async #take<T>(one: T): Promise<T> {',
    '    return one;',
    '  }',
    '}',
  ].join('\n');
  assert.deepEqual(longFunctions(text, 1), [
    { name: 'make', lines: 10 },
    { name: 'inner', lines: 3 },
    { name: '#take', lines: 3 },
  ]);
});
