import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Lie, S3_CREDENTIALS, startLyingS3, until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { plainPicture } from '../helpers/plain-picture.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** A bucket that answers and does not do it: nothing is charged by its word. */

const routes = [{ engine: 'painter' }];
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'painted', routes }),
  plainEntry({ model_id: 'painted-at-once', routes: [{ engine: 'at-once' }] }),
  fromPictureEntry({ model_id: 'repainted', routes }),
]);
const bucket = await startLyingS3();
wholeFile.after(() => bucket.close());
const painter = createSwiftEngine({ name: 'painter', repeatable: false });
/** Its result comes with the answer to the order. */
const atOnce = createSwiftEngine({
  name: 'at-once',
  repeatable: false,
  start: async ({ request: { output }, taskId }) => ({
    done: { outputs: [{ source: { data: plainPicture(output, taskId) }, seed: 1, revisedPrompt: null, tiles: null }] },
  }),
});
const MODELS = ['painted', 'painted-at-once'];
const { call, keys, make, ended, url } = await startTestService(wholeFile, {
  env: {
    DARKROOM_CATALOG_DIR: overlay.directory,
    DARKROOM_STORAGE_URL: `s3://bucket?endpoint=${bucket.endpoint}&redirect=false`,
    AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  },
  service: { engines: [createSwiftEngine(), painter, atOnce] },
});
const puts = (task: TaskAnswer) => bucket.asked.filter((ask) => ask.startsWith('PUT ') && ask.includes(task.task_id));
const pictureOf = async (task: TaskAnswer) => await (await fetch(`${task.outputs[0]?.url}`)).bytes();

async function whileItLies(lie: Lie, act: () => Promise<void>): Promise<void> {
  bucket.lie = lie;
  try {
    await act();
  } finally {
    bucket.lie = null;
  }
}

test('orders are not charged while their bucket stores nothing, and their results are stored under other keys afterwards', async () => {
  const tasks: TaskAnswer[] = [];
  await whileItLies('stores nothing', async () => {
    for (const model_id of MODELS)
      tasks.push((await call(keys.live, 'POST', '/v1/images', { model_id, prompt: 'a fox' })).data);
    for (const task of tasks) {
      await until(
        async () => puts(task).length,
        (count) => count >= 2,
      );
      const { status, cost } = (await call(keys.live, 'GET', task.urls.self)).data as TaskAnswer;
      assert.deepEqual([status, cost.state], ['processing', 'held']);
    }
  });
  for (const task of tasks) {
    const done = await ended(keys.live, task);
    assert.deepEqual([done.status, done.cost.state], ['succeeded', 'charged']);
    assert.equal(new Set(puts(task)).size, puts(task).length, 'each attempt has a key of its own');
    assert.equal((await pictureOf(done)).length, done.outputs[0]?.bytes);
  }
});

test('an upload that the bucket does not store is refused, and can be sent again', async () => {
  const picture = Buffer.from(
    await pictureOf(await make(keys.live, '/v1/images', { model_id: 'painted', prompt: 'x' })),
  );
  const send = async () =>
    await fetch(`${url}/v1/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.live}`, 'content-type': 'image/png' },
      body: picture,
    });
  await whileItLies('stores nothing', async () => assert.equal((await send()).status, 503));
  assert.equal((await send()).status, 201);
});

test('an order ends at once, unpaid and with its reason, when the picture that it uses is gone', async () => {
  const parent = await make(keys.live, '/v1/images', { model_id: 'painted', prompt: 'a hen' });
  for (const key of bucket.objects.keys()) if (key.includes(parent.task_id)) bucket.objects.delete(key);
  const body = { model_id: 'repainted', prompt: 'a fox', image_urls: [`task:${parent.task_id}`] };
  const task = await make(keys.live, '/v1/images', body);
  assert.deepEqual([task.status, task.error?.code, task.cost.state], ['failed', 'invalid_input', 'released']);
  assert.match(`${task.error?.message}`, /no longer exists/);
});

test('a deletion says that it is not done while the bucket removes nothing', async () => {
  const task = await make(keys.live, '/v1/images', { model_id: 'painted', prompt: 'a cat' });
  await whileItLies('removes nothing', async () => {
    const { status } = await call(keys.live, 'DELETE', task.urls.self);
    assert.equal(status, 503);
  });
});

test('a deletion removes the files that the row names also if the bucket does not list them', async () => {
  const task = await make(keys.live, '/v1/images', { model_id: 'painted', prompt: 'a dog' });
  await whileItLies('lists nothing', async () => {
    const { status } = await call(keys.live, 'DELETE', task.urls.self);
    assert.equal(status, 200);
  });
  assert.deepEqual(
    [...bucket.objects.keys()].filter((key) => key.includes(task.task_id)),
    [],
  );
});

test('a picture that the bucket gives by half is an answer that breaks off', async () => {
  const task = await make(keys.live, '/v1/images', { model_id: 'painted', prompt: 'a cow' });
  await whileItLies('gives half', () => assert.rejects(pictureOf(task)));
});
