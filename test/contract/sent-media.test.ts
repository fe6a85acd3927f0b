import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { callTool, connectOverHttp, dataOf } from '../helpers/mcp-clients.ts';
import { startTestService } from '../helpers/service.ts';
import { createStoppableEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Pictures, films and sounds under any name, at every door: used as their name says, or refused; never ignored. */

const service = await startTestService(wholeFile, { service: { engines: [createStoppableEngine()] } });
const { call, issueKey, keys, url } = service;
const MOUNT = '/openai/v1';
const paint = (width: number, noise: boolean) =>
  sharp({
    create: {
      width,
      height: width,
      channels: 3,
      background: '#456',
      ...(noise ? { noise: { type: 'gaussian', mean: 128, sigma: 60 } as const } : {}),
    },
  })
    .png()
    .toBuffer();
const picture = await paint(64, false);
const base64 = picture.toString('base64');
const dataUrl = `data:image/png;base64,${base64}`;
/** More than a body without media may have. */
const photograph = `data:image/png;base64,${(await paint(256, true)).toString('base64')}`;
assert.ok(photograph.length > 230_000);
const IMAGE = { model: 'sketch', prompt: 'a fox', size: '256x256' };
const FILM = { model: 'sketch-motion', prompt: 'a fox runs', seconds: '1', size: '640x360' };
const GENERATIONS = `${MOUNT}/images/generations` as const;

/** Sends an order, and returns the input of its task; fails if a picture was only named as ignored. */
async function inputOf(path: string, body: object, key = keys.test) {
  const answer = await call(key, 'POST', path as typeof GENERATIONS, body);
  assert.ok(answer.status < 300, `${path} ${Object.keys(body)}: ${JSON.stringify(answer.body)}`);
  assert.equal(answer.headers.get('darkroom-ignored-fields'), null, `${path} ${Object.keys(body)}`);
  const id = answer.headers.get('darkroom-task-ids') ?? '';
  const type = id.startsWith('vid') ? 'videos' : 'images';
  return (await call(key, 'GET', `/v1/${type}/${id}` as '/v1/images/{task_id}')).data.input;
}

/** A key whose orders are counted: a refusal places none. */
async function expectRefusals(
  send: (key: string, name: string) => Promise<object>,
  names: readonly string[],
  fields: RegExp,
) {
  const { key } = await issueKey({ mode: 'test', accountId: await service.createAccount(null) });
  for (const name of names) {
    const answer = (await send(key, name)) as { status: number; error: { message: string; code: string } };
    const said = JSON.stringify(answer.error);
    assert.deepEqual([answer.status, answer.error.code], [400, 'unsupported_field'], `${name} ${said}`);
    assert.ok(said.includes(name) && fields.test(said), `${name} ${said}`);
  }
  for (const type of ['images', 'videos'] as const)
    assert.equal((await call(key, 'GET', `/v1/${type}`)).data.items.length, 0);
  assert.equal((await call(key, 'GET', '/v1/account')).data.balance, '0.00');
}

const REFERENCES = [
  ...[
    'image',
    'images',
    'image_url',
    'image_urls',
    'input_image',
    'input_images',
    'input_reference',
    'input_references',
  ],
  ...[
    'reference_image',
    'reference_images',
    'init_image',
    'init_images',
    'imageUrl',
    'initImage',
    'image[]',
    'image[0]',
  ],
];
const FORMS = {
  text: dataUrl,
  'bare base64': base64,
  list: [dataUrl],
  '{ url }': { url: dataUrl },
  '{ image_url: { url } }': { type: 'image_url', image_url: { url: dataUrl } },
  '{ b64_json }': [{ b64_json: base64 }],
};
const UNKNOWN = ['control_image', 'style_reference', 'ip_adapter', 'frame_images', 'video', 'stream', 'partial_images'];

test('a reference is used under each name that clearly says so, at each path for images', async () => {
  for (const path of [GENERATIONS, `${MOUNT}/images/edits`, `${MOUNT}/images/variations`, `${GENERATIONS}/async`])
    for (const name of REFERENCES) {
      const { image_urls: urls } = await inputOf(path, { ...IMAGE, [name]: dataUrl });
      assert.equal(urls.length, 1, `${path} ${name}`);
    }
});

test('a reference is used whatever form its value has, and within extra_body', async () => {
  const { file_id } = (await uploadPicture()).data;
  for (const [form, value] of Object.entries({ ...FORMS, '{ file_id }': { file_id } })) {
    assert.equal((await inputOf(GENERATIONS, { ...IMAGE, image: value })).image_urls.length, 1, form);
    const film = await inputOf(`${MOUNT}/videos`, { ...FILM, input_reference: value });
    assert.match(String(film.first_frame_url), /^upload:/, form);
    const { size: _, ...rest } = IMAGE;
    const extra = await inputOf(GENERATIONS, { ...rest, extra_body: { image: value, seed: 7, size: '256x256' } });
    assert.deepEqual([extra.image_urls.length, extra.seed, extra.size], [1, 7, '256x256'], form);
  }
  const many = { ...IMAGE, image: dataUrl, reference_images: [dataUrl, { file_id }], extra_body: { image: dataUrl } };
  assert.equal((await inputOf(GENERATIONS, many)).image_urls.length, 4);
});

test('a single picture of a film is its first frame, several are its references', async () => {
  for (const name of REFERENCES.filter((one) => !/s$|image_urls|reference_image/.test(one))) {
    const input = await inputOf(`${MOUNT}/videos`, { ...FILM, [name]: dataUrl });
    assert.match(String(input.first_frame_url), /^upload:/, name);
  }
  for (const name of ['reference_image', 'reference_images', 'input_references', 'image_urls']) {
    const input = await inputOf(`${MOUNT}/videos`, { model: 'veo-3.1', prompt: 'a fox', [name]: [dataUrl] });
    assert.equal(input.image_urls.length, 1, name);
  }
});

test('a mask is used as one, or refused, and never without a picture', async () => {
  const edit = { model: 'gpt-image-2', prompt: 'a fox', image: dataUrl };
  for (const name of ['mask', 'mask_url'])
    assert.match(String((await inputOf(GENERATIONS, { ...edit, [name]: dataUrl })).mask_url), /^upload:/, name);
  const both = await call(keys.test, 'POST', GENERATIONS, { ...edit, mask: dataUrl, mask_url: dataUrl });
  assert.deepEqual([both.status, both.error.param], [400, 'mask']);
  const { image: _, ...without } = edit;
  const alone = await call(keys.test, 'POST', GENERATIONS, { ...without, mask: dataUrl });
  assert.deepEqual([alone.status, alone.error.code, alone.error.param], [400, 'missing_reference', 'image']);
  await expectRefusals(
    (key, name) => call(key, 'POST', `${MOUNT}/videos`, { ...FILM, [name]: dataUrl }),
    ['mask', 'mask_url'],
    /first_frame_url/,
  );
});

test('any other field with a medium is refused at each path, by its name and with the fields of the model', async () => {
  for (const path of [
    GENERATIONS,
    `${GENERATIONS}/async`,
    `${MOUNT}/images/edits`,
    `${MOUNT}/images/variations`,
  ] as const)
    for (const value of [dataUrl, 'https://a.example/fox.png', { nested: [{ url: 'https://a.example/fox.webp' }] }])
      await expectRefusals(
        (key, name) =>
          call(key, 'POST', path, {
            ...IMAGE,
            ...(/(edits|variations)$/.test(path) ? { image: dataUrl } : {}),
            [name]: value,
          }),
        UNKNOWN,
        /media in image_urls, style_image_urls/,
      );
  await expectRefusals(
    (key, name) => call(key, 'POST', GENERATIONS, { ...IMAGE, extra_body: { [name]: base64 } }),
    UNKNOWN,
    /media in image_urls/,
  );
  await expectRefusals(
    (key, name) => call(key, 'POST', `${MOUNT}/videos`, { ...FILM, [name]: { file_id: 'file_1' } }),
    UNKNOWN,
    /first_frame_url, last_frame_url/,
  );
});

test('a model without media refuses a reference by the name that the client used', async () => {
  await expectRefusals(
    (key, name) => call(key, 'POST', GENERATIONS, { model: 'muse-image', prompt: 'a fox', [name]: dataUrl }),
    ['image', 'reference_images', 'image_urls', 'init_image', 'mask_url'],
    /no media/,
  );
});

test('what is no medium is ignored as before, and texts and fields of the service hold what they like', async () => {
  const { headers, status } = await call(keys.test, 'POST', GENERATIONS, {
    ...IMAGE,
    fox: 'https://a.example/fox',
    image: '',
    images: [],
    negative: { text: 'https://a.example/fox.png' },
    metadata: { picture: 'https://a.example/fox.png' },
    user: 'https://a.example/fox.png',
    tags: ['https://a.example/fox.png'],
  });
  assert.deepEqual([status, headers.get('darkroom-ignored-fields')], [200, 'fox, image, images, negative, tags']);
});

test('no part of a form with a file or a picture is left out', async () => {
  const blob = new Blob([new Uint8Array(picture)], { type: 'image/png' });
  const send = async (path: string, key: string, parts: readonly (readonly [string, string | Blob])[]) => {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: form });
    const body = (await response.json()) as { readonly error: object };
    return { status: response.status, headers: response.headers, body, error: body.error };
  };
  const edit = Object.entries({ ...IMAGE, image: dataUrl });
  const film = Object.entries(FILM);
  for (const [path, parts] of [
    [`${MOUNT}/images/edits`, edit],
    [`${MOUNT}/videos`, film],
  ] as const) {
    const append = (value: Blob | string) => (key: string, name: string) => send(path, key, [...parts, [name, value]]);
    await expectRefusals(append(blob), ['reference', 'markup[]', 'seed[0]'], /image_urls/);
    for (const value of [dataUrl, base64, '{"url":"https://a.example/fox.png"}'])
      await expectRefusals(append(value), ['markup', 'control_image'], /image_urls/);
  }
  for (const name of ['prompt', 'metadata', 'user']) {
    const refused = await send(`${MOUNT}/images/edits`, keys.test, [...edit, [name, blob]]);
    assert.deepEqual([refused.status, (refused.error as { param: string }).param], [400, name]);
  }
  for (const names of [
    ['image', 'image'],
    ['image', 'image[]'],
    ['image[0]', 'image'],
    ['image[0]', 'image[0]'],
    ['image', 'reference_images'],
  ]) {
    for (const value of [blob, dataUrl]) {
      const parts = names.map((name) => [name, value] as const);
      const { status, headers, body } = await send(`${MOUNT}/images/edits`, keys.test, [
        ...Object.entries(IMAGE),
        ...parts,
      ]);
      assert.equal(status, 200, JSON.stringify(body));
      const { input } = (await call(keys.test, 'GET', `/v1/images/${headers.get('darkroom-task-ids')}`)).data;
      assert.equal(input.image_urls.length, 2, String(names));
    }
  }
});

test('a form with too many parts is refused in words of its own door', async () => {
  for (const path of [`${MOUNT}/images/edits`, `${MOUNT}/videos`, '/v1/files'] as const) {
    const form = new FormData();
    for (let part = 0; part < 100; part++) form.append(`field_${part}`, '');
    const headers = { authorization: `Bearer ${keys.test}` };
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: form });
    const { error } = (await response.json()) as { readonly error: { readonly message: string } };
    assert.equal(response.status, 400);
    assert.match(error.message, path === '/v1/files' ? /end_user/ : /at most 20 files and 60 fields/);
  }
});

test('a remix takes no medium beside its video', async () => {
  const made = await service.make(keys.test, '/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox', duration: 1 });
  for (const name of ['image', 'mask', 'control_image', 'reference_video_urls']) {
    const path = `${MOUNT}/videos/${made.task_id}/remix` as const;
    const { status, error } = await call(keys.test, 'POST', path, { prompt: 'an owl', [name]: dataUrl });
    assert.deepEqual([status, error.code, error.param], [400, 'unsupported_field', name]);
    assert.match(error.message, /reference_video_urls/);
  }
});

test('orders, quotes, comparisons, batches and actions of /v1 refuse a medium under another name', async () => {
  const names = ['image', 'mask', 'control_image', 'reference_images'];
  const order = { model_id: 'sketch', prompt: 'a fox' };
  const fields = /media in image_urls, style_image_urls/;
  for (const path of ['/v1/images', '/v1/prices'] as const)
    await expectRefusals((key, name) => call(key, 'POST', path, { ...order, [name]: dataUrl }), names, fields);
  for (const path of ['/v1/batches', '/v1/batches/prices'] as const) {
    const rows = (name: string) => [{ operation: 'images', body: { ...order, [name]: dataUrl } }];
    await expectRefusals((key, name) => call(key, 'POST', path, { orders: rows(name) }), names, fields);
    const vary = (name: string) => [{ operation: 'images', body: order, vary: { [name]: [dataUrl] } }];
    await expectRefusals((key, name) => call(key, 'POST', path, { orders: vary(name) }), names, fields);
  }
  for (const name of names) {
    const compared = await call(keys.test, 'POST', '/v1/prices/compare', { orders: [{ ...order, [name]: dataUrl }] });
    assert.match(JSON.stringify(compared.data.items[0]?.refusal), fields);
  }
  await expectRefusals(
    (key, name) => call(key, 'POST', '/v1/videos', { model_id: 'sketch-motion', prompt: 'a fox', [name]: dataUrl }),
    names,
    /first_frame_url/,
  );
  const grid = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  const action = { parent_task_id: grid.task_id, action: 'reroll' };
  for (const path of ['/v1/images/actions', '/v1/prices'] as const)
    for (const name of names) {
      const body = { ...action, ...(path === '/v1/prices' ? { model_id: 'sketch-grid' } : {}), [name]: dataUrl };
      const { status, error } = await call(keys.test, 'POST', path, body);
      assert.deepEqual([status, error.param], [400, name]);
      assert.match(error.message, /It takes (no )?media/);
    }
});

test('the tools of agents refuse a medium under another name', async (t) => {
  const { key } = await issueKey({ mode: 'test' });
  const client = await connectOverHttp(t, { url, key, generation: 'new' });
  const order = { model_id: 'sketch', prompt: 'a fox', control_image: dataUrl };
  for (const [tool, body] of [
    ['create_picture', order],
    ['quote', order],
    ['create_film', { ...order, model_id: 'sketch-motion' }],
    ['create_batch', { orders: [{ operation: 'images', body: order }] }],
  ] as const) {
    const answer = await callTool(client, tool, body);
    assert.equal(answer.isError, true, tool);
    assert.match(
      dataOf(answer).error.message,
      /'control_image', which carries a medium\. .*It takes media in image_urls/,
      tool,
    );
  }
  assert.equal((await call(key, 'GET', '/v1/images')).data.items.length, 0);
});

test('an order of a film takes a photograph in JSON like one of an image, at every door', async () => {
  const film = { model_id: 'sketch-motion', prompt: 'a fox', duration: 1, image_urls: [photograph] };
  const openai = { ...FILM, image_urls: [photograph] };
  for (const [path, body] of [
    [`${MOUNT}/videos`, { ...FILM, input_reference: { image_url: photograph } }],
    [`${MOUNT}/videos`, openai],
    [`${MOUNT}/videos`, { ...FILM, first_frame_url: photograph }],
    ['/v1/videos', film],
    ['/v1/prices', film],
    ['/v1/prices/compare', { orders: [film] }],
  ] as const) {
    const answer = await call(keys.test, 'POST', path as '/v1/videos', body);
    assert.ok(answer.status < 300, `${path} ${answer.status} ${JSON.stringify(answer.error)}`);
  }
  const grid = await service.make(keys.test, '/v1/images', { model_id: 'sketch-grid', prompt: 'a fox' });
  const action = { parent_task_id: grid.task_id, action: 'reroll', mask_url: photograph };
  assert.equal((await call(keys.test, 'POST', '/v1/images/actions', action)).status, 400);
});

async function uploadPicture() {
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'image/png' };
  const response = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(picture) });
  return (await response.json()) as { readonly data: { readonly file_id: string } };
}
