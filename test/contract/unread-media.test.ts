import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type CallContext, type Engine, EngineError, type Order } from '@darkroom-service/engines';
import { StorageError } from '@darkroom-service/media';
import { until } from '@darkroom-service/testing';
import type { ServiceOptions } from '../../src/service/service-options.ts';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { untilLetGo } from '../helpers/until-let-go.ts';

/**
 * What becomes of orders whose files cannot be read when an engine wants them: an engine that is paid, and reads before
 * it orders.
 */

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);
const delivery = { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] };
const model = fromPictureEntry({ model_id: 'from-picture', routes: [{ engine: 'scripted' }] });

interface Wishes extends ServiceOptions {
  readonly beforeReading?: () => Promise<void>;
  readonly cancel?: NonNullable<Engine['cancel']>;
}

async function open(t: TestContext, options: Wishes = {}) {
  const scripted = createScriptedEngine(options.cancel === undefined ? {} : { cancel: options.cancel });
  scripted.answer = () => ({ status: 'succeeded', delivery });
  const engine = {
    ...scripted,
    async start(order: Order, context: CallContext) {
      await options.beforeReading?.();
      for (const media of order.media) await buffer(await media.open());
      return await scripted.start(order, context);
    },
  };
  const clock = new ManualClock();
  const service = await startTestService(t, {
    env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, [model])).directory },
    service: { ...options, engines: [engine], clock },
  });
  const order = async (): Promise<TaskAnswer> => {
    const image_urls = [`data:image/png;base64,${PICTURE.toString('base64')}`];
    const body = { model_id: 'from-picture', prompt: 'a fox', image_urls };
    return (await service.call(service.keys.live, 'POST', '/v1/images', body)).data;
  };
  const end = async (task: TaskAnswer): Promise<TaskAnswer> =>
    (await service.call(service.keys.live, 'GET', task.urls.self, undefined, { prefer: 'wait=60' })).data;
  return { ...service, clock, end, order, scripted };
}

/** The service reads files of its own too. */
const isUpload = (key: string) => key.startsWith('uploads/');

test('an order whose file is gone before it starts fails for that reason, without an unknown outcome', async (t) => {
  let erase = async () => {};
  const { call, config, end, keys, order, scripted } = await open(t, { beforeReading: () => erase() });
  erase = () => rm(join(config.filesDirectory, 'uploads'), { recursive: true });
  const { status, error, cost } = await end(await order());
  assert.deepEqual([status, error.code, cost.state], ['failed', 'invalid_input', 'released']);
  assert.match(error.message, /no longer exists/);
  assert.equal(scripted.started.length, 0);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
  assert.deepEqual(data.items, []);
});

test('an order whose file cannot be read for a while waits for the storage, and is submitted once', async (t) => {
  let refusals = 2;
  const { clock, database, end, order, scripted } = await open(t, {
    wrapStorage: (storage) => ({
      ...storage,
      async open(...read) {
        if (isUpload(read[0]) && refusals-- > 0) throw new StorageError('unavailable', 'injected');
        return await storage.open(...read);
      },
    }),
  });
  const task = await order();
  for (let tries = 0; tries < 2; tries++) {
    await until(
      () => refusals,
      (left) => left === 1 - tries,
    );
    await untilLetGo(database);
    clock.advance(20_000);
  }
  const { status, error } = await end(task);
  assert.deepEqual([status, error], ['succeeded', null]);
  assert.equal(scripted.started.length, 1);
});

test('an order whose file breaks off while it is read is offered again: nothing was ordered', async (t) => {
  let breaks = 1;
  const { clock, database, end, order, scripted } = await open(t, {
    wrapStorage: (storage) => ({
      ...storage,
      async open(...read) {
        return isUpload(read[0]) && breaks-- > 0 ? Readable.from(breakOff()) : await storage.open(...read);
      },
    }),
  });
  const task = await order();
  await until(
    () => breaks,
    (left) => left === 0,
  );
  await untilLetGo(database);
  clock.advance(20_000);
  const { status, error } = await end(task);
  assert.deepEqual([status, error], ['succeeded', null]);
  assert.equal(scripted.started.length, 1);
});

test('an engine that refuses a cancel does not change the state of the order', async (t) => {
  let wishes = 0;
  const { call, clock, database, end, keys, order, scripted } = await open(t, {
    async cancel() {
      wishes++;
      throw new EngineError('invalid_input', 'it is done already', { took: 'yes' });
    },
  });
  scripted.answer = () => ({ status: 'pending', checkAfterMs: 1000 });
  const task = await order();
  await until(
    () => scripted.checked,
    ({ length }) => length > 0,
  );
  await untilLetGo(database);
  // Before the wish to cancel, which wakes the worker.
  scripted.answer = () => ({ status: 'succeeded', delivery });
  assert.equal((await call(keys.live, 'POST', task.urls.cancel)).status, 200);
  clock.advance(20_000);
  const { status, cost } = await end(task);
  assert.deepEqual([status, cost.state], ['succeeded', 'charged']);
  assert.ok(wishes > 0);
});

async function* breakOff(): AsyncGenerator<Buffer> {
  yield PICTURE.subarray(0, 10);
  throw new TypeError('terminated');
}
