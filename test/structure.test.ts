import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { measureRooms } from './structure/measure-rooms.ts';
import { readSources } from './structure/sources.ts';

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
