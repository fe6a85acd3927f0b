import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Faults that test keys simulate are nowhere the operator's trouble, and are shown where they are asked for. */

const { call, keys, make } = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const order = (outcome: string) => ({ model_id: 'flux-2-pro', prompt: 'a fox', simulate: { outcome } });
const read = async <Path extends string>(path: Path) => (await call(keys.admin, 'GET', `/admin/v1${path}`)).data;

test('simulated faults are hidden from operators unless requested', async () => {
  const unknown = await make(keys.test, '/v1/images', order('outcome_unknown'));
  const refused = await make(keys.test, '/v1/images', order('content_policy'));
  assert.deepEqual([unknown.error.code, refused.error.code], ['outcome_unknown', 'content_policy']);

  for (const mode of ['', '?mode=live'] as const) {
    assert.deepEqual((await read(`/reconciliation${mode}`)).items, []);
    assert.deepEqual((await read(`/failures${mode}`)).items, []);
    assert.deepEqual(
      (await read(`/engines${mode}`)).items.flatMap((engine) => engine.queues),
      [],
    );
  }
  for (const mode of ['test', 'all']) {
    const [entry, ...others] = (await read(`/reconciliation?mode=${mode}`)).items;
    assert.deepEqual([entry.task_id, entry.mode, others.length], [unknown.task_id, 'test', 0]);
    assert.deepEqual(
      (await read(`/failures?mode=${mode}`)).items.map((failure) => failure.task_id).sort(),
      [unknown.task_id, refused.task_id].sort(),
    );
    const queue = (await read(`/engines?mode=${mode}`)).items.flatMap((engine) => engine.queues)[0]!;
    assert.deepEqual([queue.mode, queue.last_hour.failed], ['simulated', 2]);
  }
  assert.equal((await call(keys.admin, 'GET', '/admin/v1/failures?mode=tea')).status, 400);
  const metrics = (await call(keys.admin, 'GET', '/metrics')).body;
  assert.match(metrics, /^darkroom_reconciliation_open 0$/m);
  assert.equal((await read('/health')).ready, true);
});
