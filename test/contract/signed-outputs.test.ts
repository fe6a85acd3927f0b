import assert from 'node:assert/strict';
import { test } from 'node:test';
import { S3_CREDENTIALS, startS3Server } from '@darkroom-service/testing';
import { mediaSamples, plainFilm, testSigning } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { filmEntry, fromPictureEntry, plainEntry } from '../helpers/plain-entry.ts';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Outputs with a signed manifest, in files and in a bucket. */

const routes = [{ engine: 'painter' }];
const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({ model_id: 'painted', routes }),
  filmEntry({ model_id: 'filmed', routes }),
  fromPictureEntry({ model_id: 'repainted', routes }),
]);
const picture = sharp({ create: { width: 512, height: 512, channels: 3, background: '#345' } });
const FILES: Readonly<Record<string, Buffer>> = {
  png: await picture.png().toBuffer(),
  jpeg: await picture.jpeg().toBuffer(),
  gif: await picture.gif().toBuffer(),
  mp4: Buffer.from(await plainFilm({ width: 64, height: 48, durationSeconds: 1 }, 'film')),
  ...Object.fromEntries((await mediaSamples()).filter(([type]) => type.startsWith('video/'))),
  cut: (await picture.png().toBuffer()).subarray(0, -20),
};
const painter = createSwiftEngine({
  name: 'painter',
  repeatable: false,
  async check(_operation, { request }) {
    const data = FILES[`${request.values.prompt}`]!;
    const output = { source: { data }, seed: 1, revisedPrompt: null, tiles: null };
    return { status: 'succeeded', delivery: { outputs: [output] } };
  },
});
const { certificates, key } = await testSigning('ES256');
const server = await startS3Server();
wholeFile.after(() => server.close());
const storages = {
  files: {},
  'a bucket': {
    DARKROOM_STORAGE_URL: `s3://${await server.makeBucket()}?endpoint=${server.endpoint}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  },
};

async function fileOf(task: TaskAnswer, query = '', headers = {}): Promise<Buffer> {
  assert.equal(task.status, 'succeeded', JSON.stringify(task.error));
  const response = await fetch(`${task.outputs[0]?.url}${query}`, { headers });
  assert.ok(response.ok, `${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

for (const [where, storage] of Object.entries(storages)) {
  const { keys, make } = await startTestService(wholeFile, {
    env: {
      DARKROOM_CATALOG_DIR: overlay.directory,
      DARKROOM_PROVENANCE: 'c2pa',
      DARKROOM_PROVENANCE_CERTIFICATE: certificates,
      DARKROOM_PROVENANCE_KEY: key,
      ...storage,
    },
    service: { engines: [createSwiftEngine(), painter] },
  });
  const paint = (prompt: string, more: object = {}) =>
    prompt === 'mp4' || prompt.startsWith('video/')
      ? make(keys.live, '/v1/videos', { model_id: 'filmed', prompt, ...more })
      : make(keys.live, '/v1/images', { model_id: 'painted', prompt, ...more });

  test(`in ${where}, an output is signed, says what it was made from, and its original stays readable`, async () => {
    for (const name of ['png', 'jpeg', 'mp4']) {
      const task = await paint(name);
      const [file, original] = [await fileOf(task), FILES[name]!];
      assert.deepEqual(task.outputs[0]?.provenance, { state: 'marked', standard: 'c2pa' }, name);
      for (const part of ['c2pa.created', 'digitalsourcetype/trainedAlgorithmicMedia', task.task_id])
        assert.ok(file.includes(part), `${name}: ${part}`);
      assert.ok(original.equals(await fileOf(task, '&variant=original')), name);
      const range = await fileOf(task, '&variant=original', { range: 'bytes=20-40' });
      assert.deepEqual(range, original.subarray(20, 41));
    }
    const parent = await paint('png');
    const edit = await paint('jpeg', { model_id: 'repainted', image_urls: [`task:${parent.task_id}`] });
    const file = await fileOf(edit);
    for (const part of ['c2pa.edited', 'compositeWithTrainedAlgorithmicMedia', 'parentOf', parent.task_id])
      assert.ok(file.includes(part), part);
  });

  test(`in ${where}, a film in Matroska, which has no place for a manifest, is marked by its metadata`, async () => {
    for (const type of ['video/webm', 'video/x-matroska']) {
      const task = await paint(type);
      assert.deepEqual(task.outputs[0]?.provenance, { state: 'marked', standard: 'metadata' }, type);
      assert.ok((await fileOf(task)).includes('digitalsourcetype/trainedAlgorithmicMedia'), type);
    }
  });

  test(`in ${where}, an output that cannot be signed is delivered as it came, and a broken one is not charged`, async () => {
    const gif = await paint('gif');
    const { state, standard, reason } = gif.outputs[0]?.provenance ?? {};
    assert.deepEqual([state, standard], ['failed', 'c2pa']);
    assert.match(`${reason}`, /image\/gif/);
    assert.ok(FILES.gif!.equals(await fileOf(gif)));
    const cut = await paint('cut');
    assert.deepEqual([cut.status, cut.error?.code, cut.cost.state], ['failed', 'upstream_error', 'released']);
  });
}
