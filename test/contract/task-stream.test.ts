import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunksOf, readServerEvents } from '../../clients/typescript/src/server-events.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const { call, issueKey } = service;

const stuck = { model_id: 'sketch', prompt: 'a windmill', simulate: { outcome: 'stuck' } };

/** The tasks as the stream tells of them, until it ends or the test leaves it. */
async function* follow(key: string, ids: readonly string[]): AsyncGenerator<TaskAnswer> {
  const response = await fetch(`${service.url}/v1/events?tasks=${ids.join(',')}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(60_000),
  });
  assert.equal(response.status, 200);
  for await (const { name, data } of readServerEvents(chunksOf(response.body)))
    if (name === 'task') yield JSON.parse(data ?? '');
}

test('one stream tells of several tasks, and ends once all of them are final', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const { data: image } = await call(key, 'POST', '/v1/images', stuck);
  const film = { model_id: 'sketch-motion', prompt: 'a boat', duration: 1, resolution: '480p' };
  const { data: video } = await call(key, 'POST', '/v1/videos', film);
  const last = new Map<string, TaskAnswer>();
  for await (const task of follow(key, [image.task_id, video.task_id])) {
    last.set(task.task_id, task);
    const isVideoDone = last.get(video.task_id)?.status === 'succeeded';
    if (isVideoDone && last.get(image.task_id)?.cancel_requested_at === null)
      await call(key, 'POST', `/v1/images/${image.task_id}/cancel`);
  }
  assert.equal(last.get(image.task_id)?.status, 'canceled');
  assert.equal(last.get(video.task_id)?.outputs.length, 1);
});

test('it says when a waiting task moves up in the queue', async () => {
  const { key } = await issueKey({ mode: 'test', concurrency: 1 });
  const order = async () => (await call(key, 'POST', '/v1/images', stuck)).data.task_id;
  const [first, second, third] = [await order(), await order(), await order()];
  const seen: (number | null)[] = [];
  for await (const task of follow(key, [third])) {
    if (seen.at(-1) !== task.queue_position) seen.push(task.queue_position);
    if (seen.length === 1) await call(key, 'POST', `/v1/images/${second}/cancel`);
    if (task.queue_position === 1) break;
  }
  assert.deepEqual(seen.slice(-2), [2, 1]);
  for (const id of [first, third]) await call(key, 'POST', `/v1/images/${id}/cancel`);
});

test('a stream names the task that it does not find, and how many it covers', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const { data: own } = await call(key, 'POST', '/v1/images', stuck);
  const missing = `img_${'0'.repeat(26)}`;
  const refused = await call(key, 'GET', `/v1/events?tasks=${own.task_id},${missing}`);
  assert.deepEqual([refused.status, refused.error.code], [404, 'task_not_found']);
  assert.match(refused.error.message, new RegExp(missing));
  const many = Array.from({ length: 51 }, (_, index) => `img_${String(index).padStart(26, '0')}`);
  const { status, error } = await call(key, 'GET', `/v1/events?tasks=${many.join(',')}`);
  assert.deepEqual([status, error.param], [400, 'tasks']);
  assert.match(error.message, /names 51 tasks; a stream covers at most 50/);
  const malformed = await call(key, 'GET', '/v1/events?tasks=fox');
  assert.deepEqual([malformed.status, malformed.error.param], [400, 'tasks']);
  await call(key, 'POST', `/v1/images/${own.task_id}/cancel`);
});
