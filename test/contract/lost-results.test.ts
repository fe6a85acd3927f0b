import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openFakeServer, smallPicture } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { ManualClock } from '../helpers/task-services.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const LOST: Readonly<Record<string, readonly [status: number, body: string, message: RegExp]>> = {
  'is gone': [404, 'not here', /answered 404/],
  'is a page': [200, '<!doctype html><title>Sign in</title>', /answered with a page/],
  'is an error of the storage': [
    200,
    '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>',
    /answered with a page/,
  ],
  'is an error in JSON': [200, '{"error":"try later"}', /answered with a page/],
  'is empty': [200, '', /empty file/],
};

const STEP_MS = 240_000;
const OF_TEST = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', simulate: { outcome: 'timeout' } };
const clock = new ManualClock();
const engine = createScriptedEngine();
const models = [plainEntry({ model_id: 'scripted', routes: [{ engine: 'scripted' }] })];
const { keys, call, make } = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: (await openCatalogOverlay(wholeFile, models)).directory },
  service: { engines: [engine], clock },
});

for (const [what, [status, sent, message]] of Object.entries(LOST))
  test(`a result that ${what} is asked for until the deadline, then the task fails, is not charged and is listed`, async (t) => {
    let downloads = 0;
    const upstream = await openFakeServer(({ reply }) => {
      downloads++;
      return reply(status, sent, { 'content-type': 'image/png' });
    });
    t.after(() => upstream.stop());
    const source = { url: `${upstream.url}/fox.png?part=1&signature=hush`, allowOrigins: [upstream.url] };
    engine.answer = () => ({
      status: 'succeeded',
      delivery: { outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }] },
    });
    const { data } = await call(keys.live, 'POST', '/v1/images', { model_id: 'scripted', prompt: 'a fox' });
    const task = await until(
      async () => {
        clock.advance(STEP_MS);
        // An order lets the service look what is due.
        await call(keys.test, 'POST', '/v1/images', OF_TEST);
        return (await call(keys.live, 'GET', data.urls.self)).data;
      },
      (now) => now.status === 'failed',
    );
    assert.deepEqual([task.error.code, task.cost.amount], ['upstream_error', '0.00']);
    assert.match(task.error.message, message);
    assert.ok(downloads > 5, `${downloads} downloads`);
    assert.equal(engine.started.filter(({ taskId }) => taskId === data.task_id).length, 1);
    const { data: list } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
    const entry = list.items.find((item: { task_id: string }) => item.task_id === data.task_id);
    assert.equal(entry?.detail.address, `${upstream.url}/fox.png?part=1&signature=[secret]`);
  });

test('a result is the bytes that its host sends, whatever content coding and blanks surround them', async (t) => {
  const paths: string[] = [];
  const png = await smallPicture;
  const upstream = await openFakeServer(({ path, response, reply }) => {
    paths.push(path);
    const [, kind = '', coding = ''] = decodeURIComponent(path).split('/');
    if (kind === 'part') return reply(206, png);
    response.setHeader('content-encoding', coding);
    return reply(200, kind === 'zipped' ? gzipSync(png) : png, { 'content-type': 'image/png' });
  });
  t.after(() => upstream.stop());
  const order = async (address: string) => {
    const source = { url: `${upstream.url}/${address}`, allowOrigins: [upstream.url] };
    engine.answer = () => ({
      status: 'succeeded',
      delivery: { outputs: [{ source, seed: null, revisedPrompt: null, tiles: null }] },
    });
    return await make(keys.live, '/v1/images', { model_id: 'scripted', prompt: 'a fox' });
  };
  for (const address of [
    'plain/UTF-8/a b ü.png',
    'plain/aws-chunked',
    'plain/none',
    'zipped/gzip',
    'zipped/ x-gzip ',
  ]) {
    const task = await order(address);
    assert.deepEqual([task.status, task.error?.message], ['succeeded', undefined], address);
  }
  assert.equal(paths[0], '/plain/UTF-8/a%20b%20%C3%BC.png');
  for (const [address, message] of [
    ['plain/gzip', /cannot be decoded with the content-encoding/],
    ['part', /answered 206/],
  ] as const) {
    paths.length = 0;
    const task = await order(address);
    assert.deepEqual([task.status, task.error.code, task.cost.amount], ['failed', 'upstream_error', '0.00'], address);
    assert.match(task.error.message, message);
    assert.equal(paths.length, 1, 'a repeat cannot change it');
  }
});
