import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadShippedCatalog } from '../src/catalog/fixtures/sample-catalog.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/engines.md'), 'utf8');
/** Of the table of upstreams. */
const BUILT = new Set([...PAGE.matchAll(/^\| `([a-z0-9-]+)` \| (?:–|`[A-Z_]+`) \|/gm)].map(([, name]) => name));
const [, WAITING = ''] = PAGE.split('**Routes that wait for an engine.**');
const [PARAGRAPH = ''] = WAITING.split('\n\n');
/**
 * The engines stand before the first bracket or the end of the first sentence, models after `is not live:`, if there
 * are any.
 */
const [ENGINES = ''] = PARAGRAPH.split(/ \(|\. /);
const [, MODELS = ''] = PARAGRAPH.split('is not live:');

const { models } = await loadShippedCatalog();

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([a-z0-9.-]+)`/g)].map(([, name]) => String(name)).sort();
}

test('docs/engines.md names every engine that a shipped route waits for', () => {
  assert.ok(BUILT.has('fal') && BUILT.has('sketch'), [...BUILT].join(', '));
  const named = new Set(models.flatMap(({ routes }) => routes.map(({ engine }) => engine)));
  assert.deepEqual(namesIn(ENGINES), [...named].filter((engine) => !BUILT.has(engine)).sort());
});

test('docs/engines.md names every model that has routes, but none that can be used', () => {
  const idle = models.filter(
    ({ routes }) =>
      routes.length > 0 &&
      !routes.some(({ engine, parameters }) => BUILT.has(engine) && (engine === 'sketch' || parameters !== undefined)),
  );
  assert.deepEqual(namesIn(MODELS), idle.map((model) => model.model_id).sort());
});
