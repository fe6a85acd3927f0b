import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openCatalogOverlay } from '../catalog-overlay.ts';
import { plainEntry } from '../plain-entry.ts';
import { createScriptedEngine } from '../scripted-engine.ts';
import { startTestService, wholeFile } from '../service.ts';

/** An order goes only to routes that can say all of it (contract §4). */

const [plain, rich] = [createScriptedEngine({ name: 'plain' }), createScriptedEngine({ name: 'rich' })];
for (const engine of [plain, rich])
  engine.answer = () => ({ status: 'failed', error: { code: 'upstream_error', message: 'only asked' } });
const text = (description: string) => ({ type: 'string' as const, default: null, description });
const parameters = {
  prompt: text('What to see.'),
  style: text('How it is painted.'),
  mood: text('How it feels.'),
  aspect_ratio: { type: 'string' as const, enum: ['1:1'], default: '1:1', description: 'Width to height.' },
};
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({
    model_id: 'routed',
    parameters,
    routes: [
      { engine: 'elsewhere' },
      { engine: 'plain', without: ['style', 'mood'] },
      { engine: 'rich', without: ['mood'] },
    ],
  }),
]);
const { call, keys, make } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [plain, rich] },
});
const order = { model_id: 'routed', prompt: 'a fox' };

test('a live order goes to the first configured route that can say all of it', async () => {
  for (const [fields, taker] of [
    [{}, plain],
    [{ style: 'ink' }, rich],
    [{ style: null }, plain],
  ] as const) {
    const task = await make(keys.live, '/v1/images', { ...order, ...fields });
    assert.equal(taker.started.at(-1)?.taskId, task.task_id, JSON.stringify(fields));
  }
  assert.equal(plain.started.length + rich.started.length, 3);
});

test('where no route can say all of it the order is refused with 400, naming the field', async () => {
  const { status, error } = await call(keys.live, 'POST', '/v1/images', { ...order, style: 'ink', mood: 'calm' });
  assert.equal(status, 400);
  assert.equal(error.param, 'mood');
  assert.equal(error.code, 'unsupported_field');
});

test('a test key orders all that the entry takes, whatever the routes can say', async () => {
  const body = { ...order, style: 'ink', mood: 'calm', simulate: { outcome: 'timeout' } };
  assert.equal((await call(keys.test, 'POST', '/v1/images', body)).status, 201);
});
