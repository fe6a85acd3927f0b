import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pngChunk } from '@darkroom-service/engines/fakes/parts';
import { xmpOf } from '@darkroom-service/media/structure';
import { until } from '@darkroom-service/testing';
import { markBytes, mediaSamples, plainFilm } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What an upstream wrote into its files reaches the customer unchanged, by every way there is. */

const XMP = xmpOf({
  source: 'trainedAlgorithmicMedia',
  generator: 'upstream',
  model: 'upstream-1',
  taskId: 'job_1',
  createdAt: new Date(0),
  prompt: null,
  isTest: false,
});
const picture = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#367' } });
const exif = { IFD0: { Software: 'upstream' } };
const withXmp = (contentType: string, bytes: Uint8Array) =>
  Buffer.concat(markBytes(contentType, bytes, XMP)?.pieces ?? []);
const manifest = Buffer.from(
  `00000024${hex('uuid')}d8fec3d61b0e483c92975828877ec481000000006d616e69666573740a0b0c`,
  'hex',
);
manifest.writeUInt32BE(manifest.length);
const png = await picture().png().withExif(exif).toBuffer();
const webp = await picture().webp().withExif(exif).toBuffer();
const riff = Buffer.concat([webp, Buffer.from(`${hex('C2PA')}0400000061626364`, 'hex')]);
riff.writeUInt32LE(riff.length - 8, 4);
const film = await plainFilm({ width: 64, height: 64, durationSeconds: 1 }, 'a film');
const webm = (await mediaSamples()).find(([type]) => type === 'video/webm')?.[1] ?? Buffer.alloc(0);
const segment = Buffer.from('ffeb000c4a500001000000016162', 'hex');
const jpeg = await picture().jpeg().withExif(exif).toBuffer();

/** Each with XMP and what else its format holds: EXIF, texts and a C2PA manifest. */
const FILES: Readonly<Record<string, readonly [contentType: string, bytes: Buffer]>> = {
  png: ['image/png', withTexts(withXmp('image/png', png))],
  jpeg: ['image/jpeg', Buffer.concat([jpeg.subarray(0, 2), segment, withXmp('image/jpeg', jpeg).subarray(2)])],
  webp: ['image/webp', riff],
  'webp with XMP': ['image/webp', withXmp('image/webp', webp)],
  avif: [
    'image/avif',
    Buffer.concat([withXmp('image/avif', await picture().avif().withExif(exif).toBuffer()), manifest]),
  ],
  mp4: ['video/mp4', Buffer.concat([withXmp('video/mp4', film), manifest])],
  webm: ['video/webm', withXmp('video/webm', webm)],
};
const engine = createSwiftEngine({
  // Outputs of engines that cost nothing are marked.
  repeatable: false,
  async check(_operation, { request }) {
    const source = { data: FILES[`${request.values.prompt}`]![1] };
    return { status: 'succeeded', delivery: { outputs: [{ source, seed: 1, revisedPrompt: null, tiles: null }] } };
  },
});
const { call, keys } = await startTestService(wholeFile, { service: { engines: [engine] } });
const key = keys.live;

for (const [name, [contentType, bytes]] of Object.entries(FILES))
  test(`${name}: every byte of the upstream arrives by its address, a download, a share, an archive and the mount`, async () => {
    const isFilm = contentType.startsWith('video/');
    const body = { model_id: isFilm ? 'sketch-motion' : 'sketch', prompt: name };
    const order = { operation: isFilm ? 'videos' : 'images', body };
    const { data: created, error } = await call(key, 'POST', '/v1/batches', { orders: [order] });
    assert.ok(created, JSON.stringify(error));
    const batch = await until(
      async () => (await call(key, 'GET', created.urls.self)).data,
      ({ status }) => status !== 'processing',
    );
    const [task] = (await call(key, 'GET', batch.urls.tasks)).data.items as unknown as [TaskAnswer];
    assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
    const [output] = task.outputs;
    assert.deepEqual([output.content_type, output.bytes], [contentType, bytes.length]);
    const share = await call(key, 'POST', '/v1/shares', { task_id: task.task_id });
    const addresses = [
      output.url,
      `${output.url}&download=1`,
      share.data.file_url,
      `${share.data.file_url}&download=1`,
    ];
    for (const address of addresses) {
      const got = Buffer.from(await (await fetch(address)).arrayBuffer());
      assert.ok(got.equals(bytes), address);
    }
    const headers = { authorization: `Bearer ${key}` };
    const archive = await fetch(`${batch.urls.results}?format=zip`, { headers });
    assert.ok(Buffer.from(await archive.arrayBuffer()).includes(bytes), 'the archive');
    if (isFilm || name === 'avif') return;
    const output_format = contentType.slice('image/'.length);
    const order2 = { model: 'sketch', prompt: name, output_format };
    const answer = await call(key, 'POST', '/openai/v1/images/generations', order2);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { data } = answer.body as { readonly data: readonly { readonly b64_json: string }[] };
    assert.ok(Buffer.from(data[0]?.b64_json ?? '', 'base64').equals(bytes), 'the mount');
  });

function withTexts(bytes: Buffer): Buffer {
  const texts = [pngChunk('tEXt', 'Software\0upstream'), pngChunk('caBX', 'a manifest')];
  return Buffer.concat([bytes.subarray(0, 33), ...texts, bytes.subarray(33)]);
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex');
}
