import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadShippedCatalog } from '../src/catalog/fixtures/sample-catalog.ts';

test('docs/engines.md lists the engine of every route, and every model with routes has one that can be used', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/engines.md'), 'utf8');
  const table = page.split('\n## Upstreams\n')[1]?.split('\n- **Cancel.**')[0] ?? '';
  const listed = new Set([...table.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name));
  const { models } = await loadShippedCatalog();
  const named = new Set(models.flatMap(({ routes }) => routes.map(({ engine }) => engine)));
  assert.ok(named.size > 15, [...named].join(', '));
  assert.deepEqual(
    [...named].filter((engine) => !listed.has(engine)),
    [],
  );
  const idle = models.filter(
    ({ routes }) =>
      routes.length > 0 && !routes.some(({ engine, parameters }) => engine === 'sketch' || parameters !== undefined),
  );
  assert.deepEqual(
    idle.map(({ model_id }) => model_id),
    [],
  );
});
