import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { openCatalogOverlay } from '../helpers/catalog-overlay.ts';
import { plainEntry } from '../helpers/plain-entry.ts';
import { type FileAnswer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const text = { type: 'string', default: null, description: 'What to see.' };
const ratio = { type: 'string', enum: ['16:9'], default: '16:9', description: 'Width to height.' };
const films = {
  type: 'array',
  items: { type: 'string', format: 'uri', 'x-media': 'video' },
  minItems: 1,
  maxItems: 2,
  default: null,
  description: 'Films to refer to.',
};
const pictures = { ...films, items: { ...films.items, 'x-media': 'image' }, description: 'Pictures.' };
const film = {
  type: 'video',
  parameters: {
    prompt: text,
    reference_video_urls: films,
    resolution: { type: 'string', enum: ['360p'], default: '360p', description: 'Size.' },
    aspect_ratio: ratio,
    duration: { type: 'integer', minimum: 1, maximum: 4, default: 1, description: 'Seconds.' },
  },
  supported_features: ['text_to_video', 'reference_to_video'],
};

const overlay = await openCatalogOverlay(wholeFile, [
  plainEntry({
    ...film,
    model_id: 'by-input-second',
    limits: { reference_video_urls: { max: 2, role: 'reference_video', max_seconds: 10, max_total_seconds: 15 } },
    pricing: {
      components: [
        { per: 'output_second', amount: '0.01' },
        { per: 'input_video_second', amount: '0.02' },
      ],
    },
  }),
  plainEntry({
    ...film,
    model_id: 'by-both',
    limits: { reference_video_urls: { max: 2, role: 'reference_video', max_total_seconds: 15 } },
    pricing: {
      components: [
        { per: 'output_second', amount: '0.01', when: { video_input: false } },
        {
          per: 'input_plus_output_second',
          amount: '0.01',
          when: { video_input: true },
          at_least: { output_seconds: 2 },
        },
      ],
    },
  }),
  plainEntry({
    model_id: 'by-megapixel',
    parameters: { prompt: text, image_urls: pictures, aspect_ratio: { ...ratio, enum: ['1:1'], default: '1:1' } },
    supported_features: ['text_to_image', 'image_to_image'],
    limits: { image_urls: { max: 2, role: 'reference', max_megapixels: 9 } },
    pricing: {
      components: [
        { per: 'image', amount: '0.03' },
        { per: 'input_megapixel', amount: '0.015' },
      ],
    },
  }),
]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory },
  service: { engines: [createSwiftEngine()] },
});
const { call, keys } = service;

const quote = async (body: object) => (await call(keys.test, 'POST', '/v1/prices', { prompt: 'a fox', ...body })).data;
const make = async (type: 'image' | 'video', body: object): Promise<TaskAnswer> => {
  const task = await service.make(keys.test, `/v1/${type}s`, { prompt: 'a fox', ...body });
  assert.equal(task.status, 'succeeded', JSON.stringify(task));
  return task;
};
async function upload(data: Uint8Array<ArrayBuffer>, type: string): Promise<FileAnswer> {
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': type };
  const response = await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: data });
  const answer = (await response.json()) as { readonly data: FileAnswer };
  assert.equal(response.status, 201, JSON.stringify(answer));
  return answer.data;
}
async function picture(width: number, height: number): Promise<string> {
  const data = await sharp({ create: { width, height, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  return `upload:${(await upload(new Uint8Array(data), 'image/png')).file_id}`;
}

const source = await make('video', { model_id: 'sketch-motion', resolution: '360p', duration: 2 });
const reference = await upload(new Uint8Array(await (await fetch(source.outputs[0].url)).arrayBuffer()), 'video/mp4');

test('an uploaded film is known: quoted, held and charged by its seconds', async () => {
  assert.equal(reference.duration_seconds, 2);
  const body = { model_id: 'by-input-second', reference_video_urls: [`upload:${reference.file_id}`] };
  const quoted = await quote(body);
  assert.deepEqual([quoted.amount, quoted.exact], ['0.05', true]);
  const created = await call(keys.test, 'POST', '/v1/videos', { prompt: 'a fox', ...body });
  assert.deepEqual([created.data.cost.state, created.data.cost.amount], ['held', '0.05']);
  const { data: done } = await call(keys.test, 'GET', created.data.urls.self, undefined, { prefer: 'wait=60' });
  assert.equal(done.status, 'succeeded', JSON.stringify(done.error));
  assert.deepEqual([done.cost.state, done.cost.amount, done.cost.quoted], ['charged', '0.05', '0.05']);
  assert.deepEqual(
    done.cost.lines.map((line) => [line.unit, line.quantity, line.unit_price, line.amount]),
    [
      ['output_second', '1', '0.01', '0.01'],
      ['input_video_second', '2', '0.02', '0.04'],
    ],
  );
  const entries = (await call(keys.test, 'GET', '/v1/account/ledger?limit=3')).data.items;
  assert.deepEqual(
    entries.map((entry) => [entry.kind, entry.amount]),
    [
      ['charge', '-0.05'],
      ['release', '0.05'],
      ['hold', '-0.05'],
    ],
  );
});

test('a film of the built-in model whose length is left open is as long as the film given, and paid so', async () => {
  const body = {
    model_id: 'sketch-motion',
    resolution: '360p',
    duration: -1,
    reference_video_urls: [source.outputs[0].content_url],
  };
  assert.deepEqual([(await quote(body)).amount, (await quote(body)).exact], ['0.10', false]);
  const { outputs, cost } = await make('video', body);
  assert.deepEqual([outputs[0].duration_seconds, cost.amount, cost.quoted], [2, '0.01', '0.10']);
});

test('the seconds of several films add up', async () => {
  const films = [`upload:${reference.file_id}`, `task:${source.task_id}`];
  const body = { model_id: 'by-input-second', reference_video_urls: films };
  assert.deepEqual([(await quote(body)).amount, (await quote(body)).exact], ['0.09', true]);
  assert.equal((await make('video', body)).cost.amount, '0.09');
});

test('a price component with a minimum number is charged at least that number', async () => {
  const body = { model_id: 'by-both', reference_video_urls: [source.outputs[0].content_url] };
  assert.deepEqual([(await quote(body)).amount, (await quote(body)).exact], ['0.03', true]);
  const short = await make('video', body);
  assert.deepEqual([short.cost.amount, short.cost.quoted], ['0.03', '0.03']);
  const long = await make('video', { ...body, duration: 3 });
  assert.deepEqual([long.cost.amount, long.cost.quoted], ['0.06', '0.06']);
});

test('a price that depends only on the request is quoted exactly and charged exactly', async () => {
  for (const modelId of ['by-input-second', 'by-both']) {
    const quoted = await quote({ model_id: modelId });
    assert.deepEqual([quoted.amount, quoted.exact], ['0.01', true], modelId);
  }
  const { cost } = await make('video', { model_id: 'by-both' });
  assert.deepEqual([cost.quoted, cost.amount], ['0.01', '0.01']);
});

test('megapixels are rounded up for each picture separately', async () => {
  const body = { model_id: 'by-megapixel', image_urls: [await picture(1100, 1000), await picture(64, 64)] };
  assert.deepEqual([(await quote(body)).amount, (await quote(body)).exact], ['0.075', true]);
  const { cost } = await make('image', body);
  assert.deepEqual([cost.quoted, cost.amount], ['0.075', '0.075']);
});

test('a price by tokens is quoted and charged alike, and its lines show tokens, price and calculation', async () => {
  const images = [await picture(640, 480), await picture(64, 64)];
  const body = { model_id: 'gpt-image-2', prompt: 'a red fox', size: '1024x768', quality: 'low', image_urls: images };
  const quoted = await quote(body);
  assert.deepEqual([quoted.amount, quoted.exact], ['0.028611', true]);
  const { cost, outputs } = await make('image', body);
  assert.deepEqual(
    [cost.amount, cost.quoted, outputs[0].width, outputs[0].height],
    ['0.028611', '0.028611', 1024, 768],
  );
  assert.deepEqual(cost.lines, quoted.lines);
  assert.deepEqual(
    cost.lines.map((line) => [line.unit, line.quantity, line.unit_price, line.amount, line.description]),
    [
      [
        'formula',
        '134',
        '0.00003',
        '0.00402',
        '134 image tokens, low quality: ⌈16 × round(16 × 768 ÷ 1024) × (2000000 + 1024 × 768) ÷ 4000000⌉',
      ],
      ['formula', '3', '0.000005', '0.000015', '3 prompt tokens: ⌈9 bytes ÷ 4⌉'],
      ['formula', '3072', '0.000008', '0.024576', '3072 input image tokens: 2 × 1536'],
    ],
  );
});

test('a size that follows an image is quoted and charged as the image makes it', async () => {
  const wide = await fetch(
    (await make('image', { model_id: 'gpt-image-2', quality: 'low', size: '1536x1024' })).outputs[0].url,
  );
  const data = `data:image/png;base64,${Buffer.from(await wide.arrayBuffer()).toString('base64')}`;
  const { cost, outputs } = await make('image', { model_id: 'gpt-image-2', quality: 'low', image_urls: [data] });
  assert.deepEqual([outputs[0].width, outputs[0].height], [1536, 1024]);
  assert.deepEqual([cost.quoted, cost.amount], ['0.017038', '0.017038']);
});

test('a medium that is longer or larger than its limit is refused at once, as its price could not be told', async () => {
  const large = { model_id: 'by-megapixel', prompt: 'a fox', image_urls: [await picture(4_000, 3_000)] };
  for (const path of ['/v1/prices', '/v1/images']) {
    const { status, error } = await call(keys.test, 'POST', path, large);
    assert.deepEqual([status, error.code, error.param], [400, 'invalid_reference', 'image_urls[0]'], path);
  }
  assert.equal(
    (await call(keys.test, 'GET', '/v1/images')).data.items.some((task) => task.status === 'failed'),
    false,
  );
});

test('a failed order of a measured price is released whole', async () => {
  const body = { model_id: 'by-input-second', reference_video_urls: [`upload:${reference.file_id}`] };
  const simulate = { outcome: 'upstream_error' };
  const task = await service.make(keys.test, '/v1/videos', { prompt: 'a fox', ...body, simulate });
  assert.deepEqual([task.status, task.cost.state, task.cost.amount], ['failed', 'released', '0.00']);
  const entries = (await call(keys.test, 'GET', '/v1/account/ledger?limit=2')).data.items;
  assert.deepEqual(
    entries.map((entry) => [entry.kind, entry.amount]),
    [
      ['release', '0.05'],
      ['hold', '-0.05'],
    ],
  );
});

test('a medium that must be fetched counts with its limit, also beside one that is known', async () => {
  const elsewhere = 'https://example.com/film.mp4';
  for (const [films, amount] of [
    [[elsewhere], '0.21'],
    [[elsewhere, elsewhere], '0.31'],
    [[elsewhere, `upload:${reference.file_id}`], '0.25'],
  ] as const) {
    const quoted = await quote({ model_id: 'by-input-second', reference_video_urls: films });
    assert.deepEqual([quoted.amount, quoted.exact], [amount, false], films.join());
  }
});

test('max_price, balance and spend limits are compared with the exact price of known media', async () => {
  const accountId = await service.createAccount(0);
  const poor = (await service.issueKey({ mode: 'test', accountId, spendLimits: { day: 50_000 } })).key;
  const data = new Uint8Array(await (await fetch(source.outputs[0].url)).arrayBuffer());
  const film = `data:video/mp4;base64,${Buffer.from(data).toString('base64')}`;
  const body = { model_id: 'by-input-second', prompt: 'a fox', reference_video_urls: [film], max_price: '0.05' };
  const quoted = await call(poor, 'POST', '/v1/prices', body);
  assert.deepEqual([quoted.data.amount, quoted.data.exact], ['0.05', true]);
  const task = await service.make(poor, '/v1/videos', body);
  assert.deepEqual([task.status, task.cost.quoted, task.cost.amount], ['succeeded', '0.05', '0.05']);
});

test("another key's media are not measured for a quote", async () => {
  const other = (await service.issueKey({ mode: 'test' })).key;
  for (const film of [`upload:${reference.file_id}`, `task:${source.task_id}`, source.outputs[0].content_url]) {
    const answer = await call(other, 'POST', '/v1/prices', {
      model_id: 'by-input-second',
      reference_video_urls: [film],
    });
    assert.deepEqual([answer.status, answer.error.code], [400, 'invalid_reference']);
    assert.doesNotMatch(answer.error.message, /\b2 s|360|640/);
  }
});
