import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Engine, ListedModels } from '@darkroom-service/engines';
import { createLog } from '../base/log.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { describeEnd, findEnds } from '../catalog/ends.ts';
import { openModelLists } from './model-lists.ts';

const CATALOG = join(import.meta.dirname, '..', '..', 'catalog');
const { models } = await loadCatalog({ directories: [CATALOG] });

async function openLists(t: { after(close: () => unknown): void }, list: () => ListedModels) {
  const lines: { msg: string; models?: string[]; ends?: Record<string, string> }[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const openai = { name: 'openai', models: async () => list() } as unknown as Engine;
  const lists = openModelLists({
    engines: new Map([['openai', openai]]),
    models: () => models,
    decisionsIn: CATALOG,
    log,
  });
  t.after(() => lists.stop());
  await lists.check();
  return { lists, lines, openai };
}

test('a model of images that an upstream lists and the catalog lacks is told once, and decided ones are not', async (t) => {
  let listed: [string, null][] = [
    ...models.flatMap(({ routes }) =>
      routes.flatMap(({ engine, model }): [string, null][] =>
        engine === 'openai' && model !== undefined ? [[model, null]] : [],
      ),
    ),
    ['gpt-image-2-2026-10-01', null],
    ['gpt-image-1', null],
    ['dall-e-3', null],
    ['gpt-5.3', null],
    ['gpt-image-9', null],
  ];
  const { lists, lines } = await openLists(t, () => new Map(listed));
  await lists.check();
  listed = [...listed, ['sora-9', null]];
  await lists.check();

  const told = lines.filter(({ msg }) => msg === 'upstream lists models that the catalog lacks');
  assert.deepEqual(
    told.map((line) => line.models),
    [['gpt-image-9'], ['sora-9']],
  );
});

test('the earlier end of the catalog and of the upstream counts, and its alert says which it is', async (t) => {
  const now = Date.parse('2026-11-30T00:00:00Z');
  const { lists, lines, openai } = await openLists(
    t,
    () => new Map([['gpt-image-2', '2026-12-10T00:00:00.000Z'] as const]),
  );
  const words = findEnds(models, [openai], lists, now).map(describeEnd);

  assert.equal(lists.endOf({ engine: 'openai', model: 'gpt-image-2' }), '2026-12-10T00:00:00.000Z');
  assert.equal(lists.endOf({ engine: 'openai', model: null }), null);
  assert.match(words.join('\n'), /GPT Image 2 ends at openai on 2026-12-10, says the upstream's own list\./);
  const told = lines.filter(({ msg }) => msg === 'upstream states when it ends models');
  assert.deepEqual(
    told.map(({ ends }) => ends),
    [{ 'gpt-image-2': '2026-12-10T00:00:00.000Z' }],
  );
  const earlier = models.map((model) =>
    model.model_id === 'gpt-image-2' ? Object.create(model, { sunset_at: { value: '2026-12-05T00:00:00Z' } }) : model,
  );
  assert.match(
    findEnds(earlier, [openai], lists, now).map(describeEnd).join('\n'),
    /on 2026-12-05, says the catalog\./,
  );
  assert.deepEqual(findEnds(models, [openai], null, now).map(describeEnd), []);
});
