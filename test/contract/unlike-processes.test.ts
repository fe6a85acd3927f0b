import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EngineError } from '@darkroom-service/engines';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { StorageError } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import { createLog } from '../../src/base/log.ts';
import { readFacts } from '../../src/database/process-facts.ts';
import type { Config } from '../../src/service/config/config.ts';
import type { ServiceOptions } from '../../src/service/service-options.ts';
import { startService } from '../helpers/additions.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { loadConfig } from '../helpers/load-config.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine, MADE_NOTHING } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What only one process cannot do, by its own settings or network, stays its own. */

const overlay = await openCatalogOverlay(wholeFile, [plainEntry({ model_id: 'paid', routes: [{ engine: 'fal' }] })]);
const tempo = { lease: { ms: 60_000, renewEveryMs: 100 } };

/** An engine of this name with the key of the settings. */
function createFal() {
  const engine = createScriptedEngine({ name: 'fal' });
  engine.answer = () => MADE_NOTHING;
  return engine;
}

/** A service whose process has told the others that it reached the storage. */
async function startFirst(t: TestContext) {
  const fal = createFal();
  const first = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: overlay.directory, FAL_KEY: 'right:key' },
    service: { engines: [fal], tempo },
  });
  const { read } = first.database;
  await until(
    () => read.first(read.builder.selectFrom('processes').select('facts')),
    (row) => readFacts(row?.facts ?? null)?.hasStored === true,
  );
  const startAnother = async (config: Partial<Config>, options: ServiceOptions) => {
    const another = await startService({ ...first.config, ...config }, { log: createLog('fatal'), tempo, ...options });
    t.after(() => another.stop({ now: true }));
    return another;
  };
  const order = async (url: string) =>
    (await first.call(first.keys.live, 'POST', `${url}/v1/images`, { model_id: 'paid', prompt: 'a fox' })).status;
  const faultsOfOthers = async () =>
    (await first.call(first.keys.admin, 'GET', '/admin/v1/processes')).data.items.flatMap(({ faults }) => faults);
  return { ...first, fal, startAnother, order, faultsOfOthers };
}

test('a process with a wrong key leaves the upstream to the one with the right key, whose circuit stays closed', async (t) => {
  const { call, keys, url, fal, startAnother, order, faultsOfOthers } = await startFirst(t);
  const wrong = createFal();
  wrong.onStart = () => {
    throw new EngineError('auth', 'no such key', { took: 'no', proof: 'documented' });
  };
  wrong.probe = async () => ({ ok: false, message: 'no such key', refusesKey: true });
  const { upstreams } = loadConfig({ FAL_KEY: 'wrong:key' });
  const second = await startAnother({ upstreams }, { engines: [wrong] });
  let orders = 0;
  await until(
    async () => {
      assert.equal(await order(second.url), 201);
      orders++;
      return wrong.started.length;
    },
    (count) => count > 0,
  );
  const [fault, ...more] = await until(faultsOfOthers, (found) => found.length > 0);
  assert.match(
    fault ?? '',
    /^fal refuses the key of process \(role all\) \S+ at host \S+; 1 other process uses another key: set the right FAL_KEY there and restart it\.$/,
  );
  assert.deepEqual(more, []);
  const met = wrong.started.length;
  for (const address of [url, second.url, url, second.url]) {
    assert.equal(await order(address), 201);
    orders++;
  }
  await until(
    async () => new Set(fal.started.map(({ taskId }) => taskId)).size,
    (count) => count === orders,
  );
  assert.equal(wrong.started.length, met, 'it has submitted no more');
  const { items } = (await call(keys.admin, 'GET', '/admin/v1/engines')).data;
  assert.equal(items.find(({ name }) => name === 'fal')?.circuit.state, 'closed');
});

test('a worker that never reached the storage takes no orders while another one can, is not ready, and is named', async (t) => {
  const { call, url, fal, startAnother, order, faultsOfOthers } = await startFirst(t);
  const idle = createFal();
  const metricsPort = await freePort();
  const refuse = async () => {
    throw new StorageError('unavailable', 'the signature does not match');
  };
  await startAnother(
    { role: 'worker', metricsPort },
    { engines: [idle], wrapStorage: (storage) => ({ ...storage, check: refuse }) },
  );
  const [fault] = await until(faultsOfOthers, (found) => found.length > 0);
  assert.match(
    fault ?? '',
    /^worker \S+ at host \S+ has never reached the storage, and 1 other process has; it takes no orders: /,
  );
  for (let count = 0; count < 8; count++) assert.equal(await order(url), 201);
  await until(
    async () => fal.started.length,
    (count) => count === 8,
  );
  assert.deepEqual(idle.started, []);
  const { status, body } = await call(null, 'GET', `http://127.0.0.1:${metricsPort}/readyz`);
  assert.equal(status, 503);
  assert.match(
    JSON.stringify(body),
    /the signature does not match; this process claims no orders, since it has never reached the storage/,
  );
});
