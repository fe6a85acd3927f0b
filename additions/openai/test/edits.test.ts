import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order } from '@darkroom-service/engines';
import { until } from '@darkroom-service/testing';
import sharp from 'sharp';
import { type FileAnswer, type RouteAnswer, startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** `images/edits` and `images/variations`, as JSON and as a form. */

const started: Order[] = [];
const swift = createSwiftEngine();
const service = await startTestService(wholeFile, {
  env: { DARKROOM_OPENAI_MOUNT_ALIASES: 'dall-e-2=sketch' },
  service: {
    engines: [
      createSwiftEngine({
        start(order, context) {
          started.push(order);
          return swift.start(order, context);
        },
      }),
    ],
  },
});
const { call, issueKey, keys, url } = service;
const EDITS = '/openai/v1/images/edits';
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#456' } })
  .png()
  .toBuffer();
/** Opaque on the left, transparent on the right. */
const mask = await sharp({ create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  .composite([{ input: { create: { width: 32, height: 64, channels: 4, background: '#000' } }, left: 0, top: 0 }])
  .png()
  .toBuffer();
const dataUri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const png = (bytes: Buffer) => new Blob([new Uint8Array(bytes)], { type: 'image/png' });
const taskOf = async (answer: { headers: Headers }): Promise<TaskAnswer> =>
  (await call(keys.test, 'GET', `/v1/images/${answer.headers.get('darkroom-task-ids')?.split(', ')[0]}`)).data;

async function sendForm<Path extends string>(
  path: Path,
  fields: readonly (readonly [string, string | Blob])[],
  key = keys.test,
) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: form,
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as RouteAnswer<'POST', Path>['body'],
  };
}

test('a form with several images and numbers as text is an order of the model, whichever part comes first', async () => {
  const answer = await sendForm(EDITS, [
    ['image[]', png(picture)],
    ['prompt', 'a fox'],
    ['image[]', png(picture)],
    ['model', 'sketch'],
    ['n', '2'],
    ['seed', '7'],
    ['size', '512x512'],
    ['input_fidelity', 'high'],
  ]);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal(answer.body.data.length, 2);
  assert.equal(answer.headers.get('darkroom-ignored-fields'), 'input_fidelity');
  const { input } = await taskOf(answer);
  assert.deepEqual([input.prompt, input.seed, input.image_urls.length], ['a fox', 7, 2]);
});

test('an edit as a form may be ordered now and collected later', async () => {
  const path = `${EDITS}/async` as const;
  const fields = [
    ['image', png(picture)],
    ['prompt', 'a fox'],
    ['model', 'sketch'],
  ] as const;
  const ordered = await sendForm(path, fields);
  assert.deepEqual([ordered.status, ordered.body.object], [202, 'image.generation.task']);
  assert.deepEqual((await taskOf(ordered)).input.image_urls.length, 1);
  const task = await until(
    async () => (await call(keys.test, 'GET', ordered.body.poll_url as `/openai/v1/images/tasks/${string}`)).body,
    ({ status }) => status !== 'processing',
  );
  assert.deepEqual([task.status, task.result.data.length], ['completed', 1]);
  const streamed = await sendForm(path, [...fields, ['stream', 'true']]);
  assert.deepEqual([streamed.status, streamed.body.error.param], [400, 'stream']);
});

test('JSON takes images as text and as objects', async () => {
  const { data: file } = await upload();
  for (const images of [
    { image: dataUri(picture) },
    { image: [dataUri(picture), dataUri(picture)] },
    { images: [{ image_url: dataUri(picture) }, { file_id: file.file_id }] },
  ]) {
    const answer = await call(keys.test, 'POST', EDITS, { model: 'sketch', prompt: 'a fox', ...images });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { input } = await taskOf(answer);
    assert.equal(input.image_urls.length, 'image' in images && typeof images.image === 'string' ? 1 : 2);
  }
});

test('an image in JSON may be as large as in any other order', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const large = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#000', noise } })
    .png()
    .toBuffer();
  assert.ok(large.length > 100_000, `${large.length} bytes`);
  const answer = await call(keys.test, 'POST', EDITS, { model: 'sketch', prompt: 'a fox', image: dataUri(large) });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});

test("a mask in OpenAI's manner reaches the engine as one of ours: white where it was transparent", async () => {
  started.length = 0;
  const form = [
    ['image', png(picture)],
    ['mask', png(mask)],
    ['prompt', 'a fox'],
    ['model', 'gpt-image-2'],
  ] as const;
  const answers = [
    await sendForm(EDITS, form),
    await call(keys.test, 'POST', EDITS, {
      model: 'gpt-image-2',
      prompt: 'a fox',
      image: dataUri(picture),
      mask: { image_url: dataUri(mask) },
    }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { input } = await taskOf(answer);
    const address = `/v1/files/${String(input.mask_url).replace('upload:', '')}` as const;
    const stored = (await call(keys.test, 'GET', address)).data;
    const bytes = Buffer.from(await (await fetch(stored.url)).arrayBuffer());
    const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([data[0], data[info.width * info.channels - 1]], [0, 255]);
  }
});

test('a mask is one under each name that serializers write, and two masks are refused', async () => {
  for (const name of ['mask', 'mask[]', 'mask[0]']) {
    const fields = [
      ['image', png(picture)],
      ['prompt', 'a fox'],
      ['model', 'gpt-image-2'],
    ] as const;
    const answers = [
      await sendForm(EDITS, [...fields, [name, png(mask)]]),
      await sendForm(EDITS, [...fields, [name, dataUri(mask)]]),
      await call(keys.test, 'POST', EDITS, {
        model: 'gpt-image-2',
        prompt: 'a fox',
        image: dataUri(picture),
        [name]: dataUri(mask),
      }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200, `${name} ${JSON.stringify(answer.body)}`);
      assert.match(String((await taskOf(answer)).input.mask_url), /^upload:/, name);
    }
    const twice = await sendForm(EDITS, [...fields, [name, png(mask)], ['mask', png(mask)]]);
    assert.deepEqual([twice.status, twice.body.error.param], [400, 'mask']);
  }
});

test('images of a form may be texts as in JSON', async () => {
  for (const name of ['image', 'image[]', 'image[0]', 'images[1]']) {
    const answer = await sendForm(EDITS, [
      [name, dataUri(picture)],
      ['prompt', 'a fox'],
      ['model', 'sketch'],
    ]);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal((await taskOf(answer)).input.image_urls.length, 1, name);
  }
});

test('a mask is refused where the model takes none, and where it is no image', async () => {
  const refused = await sendForm(EDITS, [
    ['image', png(picture)],
    ['mask', png(mask)],
    ['prompt', 'a fox'],
    ['model', 'sketch'],
  ]);
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.error.param],
    [400, 'unsupported_field', 'mask'],
  );
  const broken = await sendForm(EDITS, [
    ['image', png(picture)],
    ['mask', new Blob(['no image'], { type: 'image/png' })],
    ['prompt', 'a fox'],
    ['model', 'gpt-image-2'],
  ]);
  assert.deepEqual(
    [broken.status, broken.body.error.code, broken.body.error.param],
    [400, 'invalid_reference', 'mask'],
  );
});

test('an edit without an image, or with one that is none, is refused and costs nothing', async () => {
  const { key } = await issueKey({ mode: 'test', accountId: await service.createAccount(null) });
  const without = await sendForm(EDITS, [['prompt', 'a fox']], key);
  assert.deepEqual(
    [without.status, without.body.error.code, without.body.error.param],
    [400, 'missing_reference', 'image'],
  );
  const json = await call(key, 'POST', EDITS, {
    model: 'sketch',
    prompt: 'a fox',
    image: 'data:image/png;base64,AAAA',
  });
  assert.deepEqual([json.status, json.error.code, json.error.param], [400, 'invalid_reference', 'image[0]']);
  assert.equal((await call(key, 'GET', '/v1/account')).data.balance, '0.00');
});

test('a variation is an order without a prompt, of models that need none', async () => {
  const answer = await sendForm('/openai/v1/images/variations', [['image', png(picture)]]);
  const named = await sendForm('/openai/v1/images/variations', [
    ['image', png(picture)],
    ['model', 'dall-e-2'],
    ['size', '512x512'],
  ]);
  assert.deepEqual([answer.status, answer.body.error?.code], [400, 'missing_prompt']);
  assert.equal(named.status, 200, JSON.stringify(named.body));
  assert.equal((await taskOf(named)).model_id, 'sketch');
});

test('the same form sent again by a retry is the same call, whatever boundary it has', async () => {
  const { key } = await issueKey({ mode: 'test' });
  const send = async (retry: number) => {
    const form = new FormData();
    form.append('image', png(picture));
    for (const [name, value] of Object.entries({ prompt: 'a fox', model: 'sketch' })) form.append(name, value);
    const headers = { authorization: `Bearer ${key}`, 'x-stainless-retry-count': String(retry) };
    const response = await fetch(`${url}${EDITS}`, { method: 'POST', headers, body: form });
    await response.arrayBuffer();
    return response.headers.get('darkroom-task-ids');
  };
  const first = await send(0);
  assert.equal(await send(1), first);
  assert.notEqual(await send(0), first);
});

async function upload(): Promise<{ readonly data: FileAnswer }> {
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'image/png' };
  const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(picture) });
  return (await response.json()) as { readonly data: FileAnswer };
}
