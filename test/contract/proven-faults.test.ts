import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError, type EngineErrorClass } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What closes an upstream for all: a documented code or a key that a free call shows as refused, and no words. */

const engine = createScriptedEngine({ name: 'words' });
const overlay = await openCatalogOverlay(wholeFile, [plainEntry({ model_id: 'words', routes: [{ engine: 'words' }] })]);
const { call, keys } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [engine] },
});

/** Places an order that the upstream refuses. @returns the code of its failure */
async function refusedOrder(kind: EngineErrorClass, proof: EngineError['proof']): Promise<string> {
  engine.onStart = () => {
    throw new EngineError(kind, 'a picture of a credit card and a key', { took: 'no', proof });
  };
  const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: 'words', prompt: 'a credit card' });
  const task = await until(
    async () => (await call(keys.live, 'GET', data.urls.self)).data,
    ({ status }) => status === 'failed',
  );
  return task.error.code;
}
const circuit = async () =>
  (await call(keys.admin, 'GET', '/admin/v1/engines')).data.items.find((one) => one.name === 'words')!.circuit;
const close = () => call(keys.admin, 'POST', '/admin/v1/engines/words/circuit/close');

test('words in the answer to one order close an upstream for nobody, unless a free call shows that it refuses the key', async () => {
  assert.equal(await refusedOrder('billing', 'words'), 'upstream_billing');
  assert.equal(await refusedOrder('auth', 'words'), 'upstream_auth');
  assert.equal((await circuit()).state, 'closed');
  engine.probe = async () => ({ ok: false, message: 'no answer' });
  await refusedOrder('auth', 'words');
  assert.equal((await circuit()).state, 'closed');
  engine.probe = async () => ({ ok: false, message: 'unknown key', refusesKey: true });
  await refusedOrder('auth', 'words');
  assert.deepEqual([(await circuit()).state, (await circuit()).fault], ['open', 'auth']);
  await close();
});

test('a documented code closes it at once', async () => {
  delete engine.probe;
  for (const kind of ['billing', 'auth'] as const) {
    await refusedOrder(kind, 'documented');
    assert.deepEqual([(await circuit()).state, (await circuit()).fault], ['open', kind]);
    await close();
  }
});
