import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery, Engine } from '@darkroom-service/engines';
import { openFakeServer, smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';

const SLOTS = 2;
const STEP_MS = 10_000;
const OF_TEST = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', simulate: { outcome: 'timeout' } };
const PAGE = '<!doctype html><title>Sign in</title>';

for (const kind of ['answers at once', 'is asked for its orders'] as const)
  test(`orders whose file cannot be read give back their slots, of an engine that ${kind} and of their key, and are made once`, async (t) => {
    const picture = Buffer.from(await smallPicture);
    const readable = new Set<string>();
    const host = await openFakeServer(({ path, reply }) =>
      readable.has(path) ? reply(200, picture, { 'content-type': 'image/png' }) : reply(200, PAGE),
    );
    t.after(() => host.stop());
    const started: string[] = [];
    const deliver = (taskId: string): Delivery => {
      const source = { url: `${host.url}/${taskId}`, allowOrigins: [host.url] };
      return { outputs: [{ source, seed: 7, revisedPrompt: null, tiles: null }], upstreamCost: { usd: '0.005' } };
    };
    const engine: Engine = {
      name: 'hosted',
      concurrency: SLOTS,
      async start({ taskId, request }) {
        started.push(taskId);
        if (request.values.prompt === 'readable') readable.add(`/${taskId}`);
        return kind === 'answers at once' ? { done: deliver(taskId) } : { operation: { taskId }, checkAfterMs: 0 };
      },
      check: async (operation) => ({
        status: 'succeeded',
        delivery: deliver((operation as { taskId: string }).taskId),
      }),
    };
    const models = [plainEntry({ model_id: 'hosted', routes: [{ engine: 'hosted' }] })];
    const clock = new ManualClock();
    const { keys, call, issueKey } = await startTestService(t, {
      env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(t, models)).directory },
      service: { engines: [engine], clock },
    });
    const { key } = await issueKey({ mode: 'live', concurrency: SLOTS });
    const order = async (prompt: string): Promise<TaskAnswer> =>
      (await call(key, 'POST', '/v1/images', { model_id: 'hosted', prompt })).data;
    const state = async ({ urls }: TaskAnswer): Promise<TaskAnswer> => (await call(key, 'GET', urls.self)).data;
    /** Goes on in time, and lets the service look what is due, until an order has ended. */
    const ended = (task: TaskAnswer) =>
      until(
        async () => {
          clock.advance(STEP_MS);
          await call(keys.test, 'POST', '/v1/images', OF_TEST);
          return await state(task);
        },
        ({ status }) => status === 'failed' || status === 'succeeded',
      );
    const [first, second] = [await order('page'), await order('page')];
    await until(
      () => started.length,
      (count) => count === SLOTS,
    );
    const made = await ended(await order('readable'));
    assert.deepEqual([made.status, made.error], ['succeeded', null]);
    for (const task of [first, second]) assert.equal((await state(task)).status, 'processing');
    readable.add(`/${first.task_id}`);
    const late = await ended(first);
    assert.deepEqual([late.status, late.cost.amount, late.outputs[0]?.seed], ['succeeded', made.cost.amount, 7]);
    clock.advance(24 * 3_600_000);
    const lost = await ended(second);
    assert.deepEqual([lost.status, lost.error.code, lost.cost.amount], ['failed', 'upstream_error', '0.00']);
    assert.equal(new Set(started).size, started.length);
    const { data: list } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
    const entries = list.items.filter((item: { task_id: string }) => item.task_id === lost.task_id);
    assert.equal(entries[0]?.detail.address, `${host.url}/${lost.task_id}`);
  });
