import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import type { TaskRow } from '../../src/record/task.ts';
import { readTasks } from './books.ts';
import { openPremises, type Premises } from './child-service.ts';
import { runKillChain, type Script, type Step } from './kill-chain.ts';

const IMAGES = '/v1/images';
const VIDEOS = '/v1/videos';
const PAST_THE_DEADLINE_MS = 7 * 3_600_000;
const tiny = { model_id: 'sketch', prompt: 'a red fox in the snow', size: '64x64' };
const film = { model_id: 'sketch-motion', prompt: 'a red fox in the snow', resolution: '360p', duration: 1 };
const simulated = (simulate: object) => ({ ...tiny, simulate });

function scriptsOf({ keys, database }: Premises) {
  const picture: Script = async (client) => {
    const task = await client.final(keys.live, IMAGES, await client.order(keys.live, IMAGES, tiny));
    assert.deepEqual([task.status, task.cost.state, task.outputs[0].width], ['succeeded', 'charged', 64]);
  };
  const motion: Script = async (client) => {
    const task = await client.final(keys.live, VIDEOS, await client.order(keys.live, VIDEOS, film));
    assert.deepEqual([task.status, task.outputs[0].duration_seconds], ['succeeded', 1]);
  };
  const refused: Script = async (client) => {
    const wish = simulated({ outcome: 'content_policy' });
    const task = await client.final(keys.test, IMAGES, await client.order(keys.test, IMAGES, wish));
    assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'content_policy', 'released']);
  };
  const late: Script = async (client) => {
    const wish = simulated({ outcome: 'late' });
    const task = await client.final(keys.test, IMAGES, await client.order(keys.test, IMAGES, wish));
    assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'timeout', 'released']);
    // Whoever is alive asks for what the settlement foretold.
    while (!(await readLateResults(database)).includes(task.task_id)) await pause(20);
  };
  const canceled: Script = async (client) => {
    const taskId = await client.order(keys.test, IMAGES, simulated({ seconds: 3600 }));
    // A waiting order would end within the commit of its cancel.
    const isRunning = (tasks: TaskRow[]) => tasks.some(({ id, step }) => id === taskId && step === 'running');
    await until(() => readTasks(database), isRunning);
    const answer = await client.call(keys.test, 'POST', `${IMAGES}/${taskId}/cancel`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const task = await client.final(keys.test, IMAGES, taskId);
    assert.deepEqual([task.status, task.cost.state, task.outputs], ['canceled', 'released', []]);
  };
  const deleted: Script = async (client) => {
    const taskId = await client.order(keys.live, IMAGES, tiny);
    await client.final(keys.live, IMAGES, taskId);
    const answer = await client.call(keys.live, 'DELETE', `${IMAGES}/${taskId}`);
    assert.ok(answer.status === 200 || (answer.again && answer.status === 404), JSON.stringify(answer.body));
    assert.equal((await client.call(keys.live, 'GET', `${IMAGES}/${taskId}`)).status, 404);
  };
  const followed: Script = async (client) => {
    const grid = { model_id: 'sketch-grid', prompt: 'a red fox in the snow', aspect_ratio: '1:1' };
    const parent = await client.final(keys.live, IMAGES, await client.order(keys.live, IMAGES, grid));
    const action = { parent_task_id: parent.task_id, action: 'upscale', index: 2 };
    const taskId = await client.order(keys.live, `${IMAGES}/actions`, action);
    const task = await client.final(keys.live, IMAGES, taskId);
    assert.deepEqual([task.status, task.parent_task_id], ['succeeded', parent.task_id]);
  };
  const uploaded: Script = async (client) => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#264' } })
      .png()
      .toBuffer();
    const headers = { 'content-type': 'image/png' };
    const answer = await client.call(keys.live, 'POST', '/v1/files', bytes, headers);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { file_id } = answer.body.data;
    const wish = { ...tiny, image_urls: [`upload:${file_id}`] };
    const task = await client.final(keys.live, IMAGES, await client.order(keys.live, IMAGES, wish));
    assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
    const erased = await client.call(keys.live, 'DELETE', `/v1/files/${file_id}`);
    assert.ok(erased.status === 200 || erased.again, JSON.stringify(erased.body));
  };
  return { picture, motion, refused, late, canceled, deleted, followed, uploaded };
}

test('killed at every commit, whatever was ordered of the built-in engine still ends as it should, charged once', async (t) => {
  const premises = await openPremises(t);
  const { picture, motion, refused, late, canceled, deleted, followed, uploaded } = scriptsOf(premises);
  const scripts: readonly (readonly [string, readonly Script[]])[] = [
    ['create_task', [picture, refused]],
    ['claim_tasks', [picture, canceled]],
    ['submitting', [picture, refused]],
    ['running', [picture, refused]],
    ['note_progress', [motion]],
    ['settle_succeeded', [picture, motion, followed]],
    ['settle_failed', [late]],
    ['late_result', [late]],
    ['cancel_task', [canceled]],
    ['settle_canceled', [canceled]],
    ['erase_task', [deleted]],
    ['take_upload', [uploaded]],
    ['delete_upload', [uploaded]],
    ['deferred', [picture]],
  ];
  const steps: Step[] = [];
  for (const [name, each] of scripts) {
    for (const moment of ['before', 'after'] as const) {
      // Only what was being handed over when a process died is handed over again.
      if (name === 'deferred') steps.push({ kill: { name: 'submitting', moment: 'after' }, scripts: each });
      steps.push({ kill: { name, moment }, scripts: name === 'deferred' ? [] : each });
    }
  }
  await runKillChain(t, premises, [], steps);
  const reported = await readLateResults(premises.database);
  assert.ok(reported.length >= 4);
  assert.deepEqual(reported, [...new Set(reported)], 'none is reported twice');
});

async function readLateResults({ read }: Premises['database']): Promise<string[]> {
  const rows = await read.all(
    read.builder.selectFrom('reconciliation').select('task_id').where('kind', '=', 'late_result').orderBy('task_id'),
  );
  return rows.map((row) => row.task_id);
}

test('a service killed while it times out an order settles it once', async (t) => {
  const premises = await openPremises(t);
  const { keys } = premises;
  const stuck: Script = async (client, child) => {
    const taskId = await client.order(keys.test, IMAGES, simulated({ outcome: 'stuck' }));
    for (let step = ''; step !== 'running'; ) step = (await readTasks(premises.database))[0]?.step ?? '';
    premises.aheadMs += PAST_THE_DEADLINE_MS;
    child.advance(PAST_THE_DEADLINE_MS);
    const task = await client.final(keys.test, IMAGES, taskId);
    assert.deepEqual([task.status, task.error.code, task.cost.state], ['failed', 'timeout', 'released']);
  };
  const steps: Step[] = [
    { kill: { name: 'settle_timeout', moment: 'before' }, scripts: [stuck] },
    { kill: { name: 'settle_timeout', moment: 'after' }, scripts: [] },
  ];
  await runKillChain(t, premises, [], steps);
});
