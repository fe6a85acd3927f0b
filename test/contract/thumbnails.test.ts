import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Order } from '@darkroom-service/engines';
import { pngChunk } from '@darkroom-service/engines/fakes/parts';
import sharp from 'sharp';
import { taskFilePrefixes } from '../../src/record/task.ts';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** The thumbnail of a picture is made when it is first asked for, long after the order was charged. */

const whole = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#345' } })
  .png()
  .toBuffer();
/** Every chunk with its checksum, as many bytes as a picture of this size may have, and no picture in them. */
const noPixels = 'these are no pixels'.repeat(20);
const broken = Buffer.concat([whole.subarray(0, 33), pngChunk('IDAT', noPixels), pngChunk('IEND', '')]);
const sent: Order[] = [];
const engine = createSwiftEngine({
  async check(_operation, order) {
    sent.push(order);
    const data = order.request.values.prompt === 'broken' ? broken : whole;
    return {
      status: 'succeeded',
      delivery: { outputs: [{ source: { data }, seed: 1, revisedPrompt: null, tiles: null }] },
    };
  },
});
const service = await startTestService(wholeFile, {
  env: { DARKROOM_PROVENANCE: 'off', DARKROOM_TRUST_PROXY: 'true' },
  service: { engines: [engine] },
});
const { call, config, keys, make } = service;
const order = (prompt: string, more: object = {}) =>
  make(keys.live, '/v1/images', { model_id: 'sketch', prompt, ...more });

/** The names of a task's files in storage. */
async function filesOf(taskId: string): Promise<string[]> {
  const [prefix = ''] = taskFilePrefixes(taskId);
  const at = prefix.lastIndexOf('/') + 1;
  const names = await readdir(join(config.filesDirectory, prefix.slice(0, at)));
  return names.filter((name) => name.startsWith(prefix.slice(at))).map((name) => name.slice(prefix.length - at));
}

test('a thumbnail is made at the first request, once for all who ask at the same time', async () => {
  const task = await order('fox');
  assert.match(`${await filesOf(task.task_id)}`, /^\d+-0\.png$/);
  const url = `${task.outputs[0]?.thumbnail_url}`;
  const answers = await Promise.all(Array.from({ length: 8 }, () => fetch(url)));
  const bodies = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  for (const body of bodies) assert.ok(body.equals(bodies[0]!));
  const { format, width, height } = await sharp(bodies[0]!).metadata();
  assert.deepEqual([format, width, height], ['webp', 300, 200]);
  assert.equal((await filesOf(task.task_id)).length, 2);
});

test('a deleted task leaves no thumbnail behind, and gets none any more', async () => {
  const task = await order('fox');
  const url = `${task.outputs[0]?.thumbnail_url}`;
  assert.equal((await fetch(url)).status, 200);
  assert.equal((await call(keys.live, 'DELETE', `/v1/images/${task.task_id}`)).status, 200);
  assert.equal((await fetch(url)).status, 410);
  assert.deepEqual(await filesOf(task.task_id).catch(() => []), []);
});

test('a charged picture that does not decode stays as it is, has no thumbnail, and is reported once', async () => {
  const task = await order('broken');
  assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged']);
  const output = task.outputs[0];
  assert.deepEqual([output?.width, output?.height], [300, 200]);
  assert.ok(broken.equals(Buffer.from(await (await fetch(`${output?.url}`)).arrayBuffer())));
  for (let time = 0; time < 2; time++) assert.equal((await fetch(`${output?.thumbnail_url}`)).status, 404);
  const { data } = await call(keys.admin, 'GET', '/admin/v1/reconciliation');
  const entries = data.items.filter(({ task_id }) => task_id === task.task_id);
  assert.deepEqual(
    entries.map(({ kind, detail }) => [kind, detail.output, detail.engine]),
    [['broken_output', 0, 'sketch']],
  );
  const read = await call(keys.live, 'GET', `/v1/images/${task.task_id}`);
  assert.deepEqual(
    [read.data.status, read.data.cost.state, read.data.revision],
    ['succeeded', 'charged', task.revision],
  );
});

test('what an order uses of an earlier one is decoded before it is sent', async () => {
  const [good, bad] = [await order('fox'), await order('broken')];
  sent.length = 0;
  const made = await order('more', { image_urls: [`task:${good.task_id}`] });
  assert.equal(made.status, 'succeeded');
  const refused = await order('more', { image_urls: [`task:${bad.task_id}`] });
  assert.deepEqual([refused.status, refused.error?.code, refused.cost.state], ['failed', 'invalid_input', 'released']);
  assert.match(`${refused.error?.message}`, new RegExp(bad.task_id));
  assert.deepEqual(
    sent.map(({ taskId }) => taskId),
    [made.task_id],
  );
});

test('who asks again and again for thumbnails that must be made must wait, and visitors behind another address need not', async () => {
  const task = await order('broken');
  const ask = async (visitor: string) => {
    const answer = await fetch(`${task.outputs[0]?.thumbnail_url}`, { headers: { 'x-forwarded-for': visitor } });
    await answer.arrayBuffer();
    return answer;
  };
  // Of a minute's 2 GiB each counts 8 MiB, so that 256 pass, and those of the minute's refill.
  let last = await ask('203.0.113.7');
  for (let asked = 0; asked < 400 && last.status === 404; asked++) {
    // Some proxies name the port as well, and some map the address into IPv6.
    const ways = ['203.0.113.7', `203.0.113.7:${20_000 + asked}`, `[::ffff:203.0.113.7]:${20_000 + asked}`];
    last = await ask(ways[asked % ways.length] ?? '');
  }
  assert.equal(last.status, 429);
  assert.ok(Number(last.headers.get('retry-after')) >= 1);
  assert.match(`${last.headers.get('ratelimit-policy')}`, /^"visitor_bytes";q=2147483648;qu="content-bytes";w=60$/);
  assert.equal((await ask('198.51.100.7')).status, 404);
});
