import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { smallPicture } from '@darkroom-service/engines/fakes/parts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Texts of upstreams are cleaned where they enter; their ids are taken as they are, or not at all. */

const ODD = 'cut \ud83d here, NUL \0, ESC \x1b]0;owned\x07, CSI \x9b31m, \u{1f600}\nnext line';
const CLEAN = 'cut \ufffd here, NUL \ufffd, ESC \ufffd]0;owned\ufffd, CSI \ufffd31m, \u{1f600}\nnext line';

let job = (taskId: string) => `job ${taskId}`;
const engine = createScriptedEngine({ jobOf: (_operation, { taskId }) => job(taskId) });
const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
const { keys, call, make } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(wholeFile, models)).directory },
  service: { engines: [engine] },
});
const picture = await smallPicture;
const order = () => make(keys.live, '/v1/images', { model_id: 'scripted', prompt: 'a fox' });
const close = () => call(keys.admin, 'POST', '/admin/v1/engines/scripted/circuit/close');

test('the reason of an upstream is told well-formed and without control characters, from its answer to an order or to a check', async () => {
  engine.answer = () => ({ status: 'failed', error: { code: 'invalid_input', message: ODD } });
  assert.equal((await order()).error?.message, CLEAN);
  engine.onStart = () => {
    throw new EngineError('invalid_input', ODD, { took: 'no' });
  };
  const { error } = await order();
  engine.onStart = () => {};
  assert.ok(error?.message.includes(CLEAN), error?.message);
});

test('a revised prompt is told clean, and cut where the longest prompt ends', async () => {
  const revised = (revisedPrompt: string) => {
    engine.answer = () => ({
      status: 'succeeded',
      delivery: { outputs: [{ source: { data: picture }, seed: null, revisedPrompt, tiles: null }] },
    });
    return order();
  };
  assert.equal((await revised(ODD)).outputs[0]?.revised_prompt, CLEAN);
  const long = (await revised('\u{1f600}'.repeat(300_000))).outputs[0]?.revised_prompt ?? '';
  assert.ok(long.length <= 262_145 && long.isWellFormed() && long.endsWith('\u2026'));
});

for (const [what, end] of Object.entries({ NUL: '\0', 'half a character': '\ud83d' }))
  test(`an id with ${what} is no id: the outcome of the order is unknown, and nothing is sent or charged twice`, async () => {
    engine.answer = () => {
      throw new Error('nobody can ask for it');
    };
    job = (taskId) => `job ${taskId}${end}`;
    const sent = engine.started.length;
    const task = await order();
    job = (taskId) => `job ${taskId}`;
    assert.deepEqual([task.status, task.error?.code, task.cost.amount], ['failed', 'outcome_unknown', '0.00']);
    assert.equal(engine.started.length - sent, 1);
    const { data } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
    assert.ok(data.items.some((item: { task_id: string }) => item.task_id === task.task_id));
    assert.equal((await close()).status, 200);
  });
