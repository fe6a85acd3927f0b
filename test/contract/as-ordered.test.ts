import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveredOutput } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import { plainFilm } from '@darkroom-service/testing/samples';
import sharp from 'sharp';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { plainPicture } from '../helpers/plain-picture.ts';
import { createScriptedEngine } from '../helpers/scripted-engine.ts';
import { startTestService } from '../helpers/service.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** What has come is compared with what the upstream was sent: another thing is no success, and less costs less. */

const words = (values: readonly string[]) => ({ type: 'string', enum: values, default: values[0], description: 'x' });
const prompt = { type: 'string', default: null, description: 'What to see.' };
const film = {
  type: 'video',
  parameters: {
    prompt,
    resolution: words(['360p', '720p']),
    aspect_ratio: words(['16:9']),
    duration: { type: 'integer', minimum: 1, maximum: 10, default: 4, description: 'Seconds.' },
  },
  supported_features: ['text_to_video'],
  sizing: { tier: '360p' },
  routes: [
    {
      engine: 'scripted',
      model: 'film',
      parameters: { prompt: 'prompt', resolution: 'resolution', duration: 'duration' },
      covers: ['aspect_ratio'],
    },
  ],
};
const perSecond = [
  { per: 'output_second', amount: '0.05', when: { resolution: ['360p'] } },
  { per: 'output_second', amount: '0.10', when: { resolution: ['720p'] } },
];
const picture = {
  parameters: {
    prompt,
    resolution: words(['1K', '2K', '4K']),
    aspect_ratio: words(['1:1']),
    background: words(['auto', 'transparent']),
    quality: words(['low', 'high']),
  },
  sizing: {},
  routes: [
    {
      engine: 'scripted',
      model: 'picture',
      parameters: {
        prompt: 'prompt',
        resolution: 'resolution',
        aspect_ratio: 'ratio',
        background: 'background',
        quality: 'quality',
      },
    },
  ],
};
const tiers = [
  { per: 'image', amount: '0.03', when: { resolution: ['1K'] } },
  { per: 'image', amount: '0.05', when: { resolution: ['2K'] } },
  { per: 'image', amount: '0.09', when: { resolution: ['4K'] } },
];
const dearer = tiers.map((one) => ({ ...one, amount: (Number(one.amount) + 0.01).toFixed(2) }));
const pictureEntry = plainEntry({ ...picture, model_id: 'picture', pricing: { components: tiers } });
const entriesOfOverlay = [plainEntry({ ...film, model_id: 'film', pricing: { components: perSecond } }), pictureEntry];
const overlay = await openCatalogOverlay(wholeFile, entriesOfOverlay);

const filmOf = (height: number, durationSeconds: number) =>
  plainFilm({ width: (height * 16) / 9, height, durationSeconds }, 'film');
const png = (side: number) => plainPicture({ width: side, height: side }, `${side}`);
const output = (data: Uint8Array): DeliveredOutput => ({
  source: { data },
  seed: null,
  revisedPrompt: null,
  tiles: null,
});

async function start(t: Parameters<typeof startTestService>[0]) {
  const engine = createScriptedEngine();
  const env = { DARKROOM_CATALOG_DIR: overlay.directory };
  const service = await startTestService(t, { env, service: { engines: [engine] } });
  const { call, keys, make } = service;
  const come = async (path: string, body: object, ...data: readonly Uint8Array[]) => {
    engine.answer = () => ({ status: 'succeeded', delivery: { outputs: data.map(output) } });
    return await make(keys.live, path, { prompt: 'a fox', ...body });
  };
  const entries = async () => (await call(keys.admin, 'GET', '/admin/v1/reconciliation')).data.items;
  return { ...service, engine, come, entries };
}

test('another thing than ordered fails the order, costs nothing and is told to the operator', async (t) => {
  const { come, entries, call, keys } = await start(t);
  const gif = await sharp(png(64)).gif().toBuffer();
  const cases: readonly [string, object, readonly Uint8Array[], string][] = [
    ['/v1/videos', { model_id: 'film' }, [png(640)], 'a video was ordered, the engine delivered image/png'],
    ['/v1/videos', { model_id: 'film' }, [gif], 'a video was ordered, the engine delivered image/gif'],
    [
      '/v1/images',
      { model_id: 'picture' },
      [await filmOf(360, 4)],
      'an image was ordered, the engine delivered video/mp4',
    ],
    [
      '/v1/images',
      { model_id: 'picture' },
      [png(8)],
      'an image was ordered, the engine delivered image/png of 8x8 pixels',
    ],
    ['/v1/images', { model_id: 'picture' }, [], 'an image was ordered, the engine delivered nothing'],
    [
      '/v1/videos',
      { model_id: 'film' },
      [await filmOf(360, 0.25)],
      'a video was ordered, the engine delivered video/mp4 of 0.25 s',
    ],
  ];
  const failed: string[] = [];
  for (const [path, body, data, message] of cases) {
    const task = await come(path, body, ...data);
    failed.push(task.task_id);
    assert.deepEqual(
      [task.status, task.error?.code, task.error?.message, task.cost.state, task.outputs],
      ['failed', 'upstream_error', `The result cannot be used: ${message}.`, 'released', []],
    );
  }
  assert.deepEqual(
    (await entries()).map(({ task_id, kind, engine }) => [task_id, kind, engine]),
    failed.toReversed().map((id) => [id, 'not_as_ordered', 'scripted']),
  );
  const { balance } = (await call(keys.live, 'GET', '/v1/account')).data;
  assert.equal(balance, '0.00');
});

test('less than ordered succeeds at the price of what came, with warning, entry, metric and lines', async (t) => {
  const { come, entries, call, keys } = await start(t);
  const small = await come('/v1/images', { model_id: 'picture', resolution: '4K' }, png(2048));
  assert.deepEqual(
    [
      small.status,
      small.cost.state,
      small.cost.amount,
      small.cost.quoted,
      small.cost.lines.map((line) => line.description),
    ],
    ['succeeded', 'charged', '0.05', '0.09', ['1 image at 2K']],
  );
  assert.deepEqual(small.warnings, [{ code: 'smaller', field: 'resolution', ordered: '4K', delivered: '2048x2048' }]);
  const short = await come('/v1/videos', { model_id: 'film', duration: 8, resolution: '720p' }, await filmOf(360, 3));
  assert.deepEqual([short.cost.amount, short.cost.quoted], ['0.15', '0.80']);
  assert.deepEqual(
    short.warnings?.map(({ code, ordered, delivered }) => [code, ordered, delivered]),
    [
      ['smaller', '720p', '640x360'],
      ['shorter', '8', '3'],
    ],
  );
  assert.deepEqual(
    (await entries()).map(({ task_id, kind, detail }) => [task_id, kind, detail.message]),
    [
      [
        short.task_id,
        'not_as_ordered',
        'Less than ordered was delivered: resolution 720p was ordered, 640x360 came; duration 8 was ordered, 3 came.',
      ],
      [small.task_id, 'not_as_ordered', 'Less than ordered was delivered: resolution 4K was ordered, 2048x2048 came.'],
    ],
  );
  const metrics = String((await call(keys.admin, 'GET', '/metrics')).body);
  assert.match(metrics, /outputs_not_as_ordered_total\{engine="scripted",code="smaller"\} 2$/m);
  const ledger = (await call(keys.live, 'GET', '/v1/account')).data;
  assert.equal(ledger.balance, '-0.20');
  // The charge of a short result can be given back whole, which resolves its entry.
  assert.equal((await call(keys.admin, 'POST', `/admin/v1/tasks/${short.task_id}/refund`)).status, 200);
  assert.deepEqual(
    (await entries()).filter(({ resolved_at }) => resolved_at === null).map(({ task_id }) => task_id),
    [small.task_id],
  );
});

test('what differs without being less is a warning alone, and a task has one output', async (t) => {
  const { come, entries, engine } = await start(t);
  const wide = plainPicture({ width: 1280, height: 1024 }, 'wide');
  const many = await come('/v1/images', { model_id: 'picture' }, wide, png(1024), png(1024));
  assert.deepEqual(
    [many.status, many.outputs.length, many.outputs[0]?.width, many.cost.amount, many.cost.quoted],
    ['succeeded', 1, 1280, '0.03', '0.03'],
  );
  assert.deepEqual(
    many.warnings?.map(({ code }) => code),
    ['other_ratio', 'further_outputs'],
  );
  // A preview beside the film is not the film.
  const film = await come('/v1/videos', { model_id: 'film' }, png(360), await filmOf(360, 4));
  assert.deepEqual([film.status, film.outputs.map(({ content_type }) => content_type)], ['succeeded', ['video/mp4']]);
  const whole = await come('/v1/images', { model_id: 'picture' }, png(1024));
  assert.equal('warnings' in whole, false);
  assert.deepEqual(await entries(), []);
  assert.equal(engine.started.length, 3);
});

test('a picture without alpha for a transparent background, and another quality that the answer names, are told and charged', async (t) => {
  const { come, entries, engine, make, keys, call } = await start(t);
  const wish = { model_id: 'picture', background: 'transparent', quality: 'high' };
  const opaque = await come('/v1/images', wish, png(1024));
  assert.deepEqual([opaque.status, opaque.cost.amount, opaque.cost.quoted], ['succeeded', '0.03', '0.03']);
  assert.deepEqual(opaque.warnings, [
    { code: 'opaque', field: 'background', ordered: 'transparent', delivered: 'opaque' },
  ]);
  const clear = await sharp(png(1024)).ensureAlpha(0.5).png().toBuffer();
  engine.answer = () => ({ status: 'succeeded', delivery: { outputs: [output(clear)], named: { quality: 'low' } } });
  const other = await make(keys.live, '/v1/images', { ...wish, prompt: 'a fox' });
  assert.deepEqual(other.warnings, [{ code: 'other_quality', field: 'quality', ordered: 'high', delivered: 'low' }]);
  assert.deepEqual(await entries(), []);
  const metrics = String((await call(keys.admin, 'GET', '/metrics')).body);
  assert.match(metrics, /outputs_not_as_ordered_total\{engine="scripted",code="opaque"\} 1$/m);
});

test('the price list of an order stays the one that it was placed by, and is stored once', async (t) => {
  const { engine, call, keys, entries, database } = await start(t);
  const wish = { model_id: 'picture', prompt: 'a fox', resolution: '4K' };
  const place = async () => (await call(keys.live, 'POST', '/v1/images', wish)).data.task_id;
  const earlier = [await place(), await place()];
  const models = [{ ...pictureEntry, pricing: { components: dearer } }];
  await overlay.write(models);
  t.after(() => overlay.write(entriesOfOverlay));
  assert.equal((await call(keys.admin, 'POST', '/admin/v1/catalog/reload')).status, 200);
  const later = await place();
  const small = output(png(1024));
  engine.answer = () => ({ status: 'succeeded', delivery: { outputs: [small] } });
  const amounts: string[] = [];
  for (const id of [...earlier, later]) {
    const isEnded = async () => (await call(keys.live, 'GET', `/v1/images/${id}`)).data;
    amounts.push((await until(isEnded, ({ status }) => status === 'succeeded')).cost.amount);
  }
  assert.deepEqual(amounts, ['0.03', '0.03', '0.04']);
  const lists = await database.read.all(database.read.builder.selectFrom('price_lists').select('digest'));
  assert.equal(lists.length, 2);
  assert.equal((await entries()).length, 3);
});
