import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Order } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A cancel that meets a claim or a delivery: one of both wins, and the money follows it (contract §6). */

const ROUNDS = 24;
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAD0lEQVR42mNgGAWjgHwAAAJAAAHgTR1EAAAAAElFTkSuQmCC',
  'base64',
);

const wishes = new Set<string>();
const engine = createScriptedEngine({
  name: 'patient',
  concurrency: ROUNDS,
  async cancel(_operation: unknown, order: Order) {
    wishes.add(order.taskId);
    return true;
  },
});
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'patient', routes: [{ engine: 'patient' }] }),
]);
const { call, issueKey } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [engine] },
});

const delivered = () => ({
  status: 'succeeded' as const,
  delivery: { outputs: [{ source: { data: PICTURE }, seed: null, revisedPrompt: null, tiles: null }] },
});
const order = async (key: string): Promise<TaskAnswer> =>
  (await call(key, 'POST', '/v1/images', { model_id: 'patient', prompt: 'a fox' })).data;
const cancel = (key: string, taskId: string) => call(key, 'POST', `/v1/images/${taskId}/cancel`);

/** Waits until every order has ended, and compares its end with the answer to its cancel and with the ledger. */
async function assertSettled(key: string, cancels: ReadonlyMap<string, ReturnType<typeof cancel>>): Promise<string[]> {
  const ends: string[] = [];
  for (const [taskId, canceling] of cancels) {
    const answer = await canceling;
    const task = await until(
      async () => (await call(key, 'GET', `/v1/images/${taskId}`)).data,
      ({ status }) => ['succeeded', 'canceled', 'failed'].includes(status),
    );
    const { items } = (await call(key, 'GET', '/v1/account/ledger?limit=100')).data;
    const entries = items.filter((entry) => entry.task_id === taskId);
    const kinds = entries.map((entry) => entry.kind).sort();
    if (task.status === 'canceled') {
      assert.equal(answer.status, 200);
      assert.deepEqual([task.outputs, task.cost.state, kinds], [[], 'released', ['hold', 'release']]);
    } else {
      assert.deepEqual([task.status, task.outputs.length, task.cost.state], ['succeeded', 1, 'charged']);
      assert.equal(kinds.filter((kind: string) => kind === 'charge').length, 1);
      if (answer.status !== 200) assert.equal(answer.error.code, 'not_cancelable');
      else assert.notEqual(answer.data.status, 'canceled', 'what was called canceled stays canceled');
    }
    ends.push(task.status);
  }
  return ends;
}

test('a cancel that races with the claim ends the order once: canceled and released, or delivered and charged', async () => {
  engine.answer = ({ taskId }) => (wishes.has(taskId) ? { status: 'canceled' } : delivered());
  const { key } = await issueKey({ mode: 'live' });
  const cancels = new Map<string, ReturnType<typeof cancel>>();
  for (let round = 0; round < ROUNDS; round++) {
    const { task_id: taskId } = await order(key);
    // A worker claims at once; a few turns of the event loop lead from before the claim to after it.
    for (let turn = 0; turn < round % 8; turn++) await nextTurn();
    cancels.set(taskId, cancel(key, taskId));
  }
  await assertSettled(key, cancels);
});

test('a cancel that races with the delivery changes no delivered order, and no canceled order is delivered', async () => {
  const { key } = await issueKey({ mode: 'live' });
  const cancels = new Map<string, ReturnType<typeof cancel>>();
  engine.answer = async ({ taskId }) => {
    const already = cancels.get(taskId);
    if (already !== undefined) return wishes.has(taskId) ? { status: 'canceled' } : delivered();
    const turns = cancels.size % 8;
    cancels.set(
      taskId,
      (async () => {
        for (let turn = 0; turn < turns; turn++) await nextTurn();
        return await cancel(key, taskId);
      })(),
    );
    return delivered();
  };
  for (let round = 0; round < ROUNDS; round++) await order(key);
  await until(
    () => cancels.size,
    (size) => size === ROUNDS,
  );
  const ends = await assertSettled(key, cancels);
  assert.ok(ends.includes('succeeded'));
});
