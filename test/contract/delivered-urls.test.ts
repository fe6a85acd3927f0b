import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { pngChunk, withChunk } from '@darkroom-service/engines/fakes/parts';
import sharp from 'sharp';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What lies at an upstream's URL flows into its place in storage, and is checked on the way. */

const whole = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#345' } })
  .jpeg()
  .toBuffer();
const png = await sharp(whole).png().toBuffer();
const SERVED: Readonly<Record<string, Buffer>> = {
  whole,
  cut: whole.subarray(0, whole.length - 40),
  'text file': Buffer.from('no picture'),
  'few bytes': Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', '\0\0\x4e\x20\0\0\x4e\x20\x08\x02\0\0\0'),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1_000)).toString('latin1')),
    pngChunk('IEND', ''),
  ]),
  tiff: await sharp(whole).withMetadata({ orientation: 6 }).tiff().toBuffer(),
  text: withChunk(png, 'tEXt', 'prompt\0a fox'),
};
const server = createServer(async (request, response) => {
  const bytes = SERVED[decodeURIComponent(request.url?.slice(1) ?? '')] ?? whole;
  // In pieces that are shorter than what tells a format.
  for (let at = 0; at < bytes.length; at += 30) {
    response.write(bytes.subarray(at, at + 30));
    if (at < 120) await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
wholeFile.after(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const engine = createSwiftEngine({
  async check(_operation, { request }) {
    const source = { url: `${origin}/${request.values.prompt}`, allowOrigins: [origin] };
    const dropText = request.values.prompt === 'text';
    return {
      status: 'succeeded',
      delivery: { outputs: [{ source, dropText, seed: 1, revisedPrompt: null, tiles: null }] },
    };
  },
});
const { config, keys, make } = await startTestService(wholeFile, {
  env: { DARKROOM_PROVENANCE: 'off' },
  service: { engines: [engine] },
});
const order = (prompt: string) => make(keys.live, '/v1/images', { model_id: 'sketch', prompt });

test('a picture at a URL is stored byte by byte and measured', async () => {
  const task = await order('whole');
  const output = task.outputs[0];
  assert.deepEqual([output?.content_type, output?.width, output?.height], ['image/jpeg', 300, 200]);
  assert.ok(whole.equals(Buffer.from(await (await fetch(`${output?.url}`)).arrayBuffer())));
});

test('a picture is stored without its texts if its engine wants that', async () => {
  const task = await order('text');
  const output = task.outputs[0];
  assert.deepEqual([output?.content_type, output?.width, output?.height], ['image/png', 300, 200]);
  assert.ok(png.equals(Buffer.from(await (await fetch(`${output?.url}`)).arrayBuffer())));
});

test('a TIFF, which browsers do not show, is stored as an upright PNG', async () => {
  const task = await order('tiff');
  assert.deepEqual([task.status, task.cost.state], ['succeeded', 'charged'], JSON.stringify(task.error));
  const output = task.outputs[0];
  assert.deepEqual([output?.content_type, output?.width, output?.height], ['image/png', 200, 300]);
});

test('what is cut off, has too few bytes for its size or is no picture is not charged and leaves no file', async () => {
  for (const prompt of ['cut', 'few bytes', 'text file']) {
    const task = await order(prompt);
    assert.deepEqual(
      [task.status, task.error?.code, task.cost.state],
      ['failed', 'upstream_error', 'released'],
      prompt,
    );
  }
  const files = await readdir(join(config.filesDirectory, 'tasks'), { recursive: true, withFileTypes: true });
  assert.equal(files.filter((entry) => entry.isFile()).length, 3);
  assert.deepEqual(await readdir(join(config.filesDirectory, '.tmp')), []);
});
