import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { openCatalogOverlay } from '../../../test/helpers/catalog-overlay.ts';
import { plainEntry } from '../../../test/helpers/plain-entry.ts';
import { startTestService, type TaskAnswer } from '../../../test/helpers/service.ts';
import { createSwiftEngine } from '../../../test/helpers/swift-engine.ts';
import { wholeFile } from '../../../test/helpers/whole-file.ts';

/** `POST /openai/v1/chat/completions`: images in conversations. */

const overlay = await openCatalogOverlay(wholeFile, [plainEntry({ model_id: 'plain' })]);
const service = await startTestService(wholeFile, {
  env: { DARKROOM_CATALOG_DIR: overlay.directory, DARKROOM_OPENAI_MOUNT_ALIASES: 'gemini-2.5-flash-image=sketch' },
  service: { engines: [createSwiftEngine()] },
});
const { call, issueKey, keys } = service;
const PATH = '/openai/v1/chat/completions';
const SMALL = { image_config: { image_size: '512' } };
const picture = await pictureOf('#a33');
const shown = await pictureOf('#33a');

const fox = { role: 'user', content: 'a fox' };
const chat = (body: object, key: string | null = keys.test, headers = {}) =>
  call(key, 'POST', PATH, { model: 'sketch', messages: [fox], ...SMALL, ...body }, headers);
const tasksOf = async (key: string): Promise<TaskAnswer[]> => (await call(key, 'GET', '/v1/images')).data.items;
const lastInput = async (key: string) => (await tasksOf(key))[0]!.input;
const ownKey = async (): Promise<string> => (await issueKey({ mode: 'test' })).key;

async function pictureOf(background: string): Promise<string> {
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

function part(url: string) {
  return { type: 'image_url', image_url: { url } };
}

/** The stored bytes of a reference of a task. */
async function referenceOf(key: string, source: unknown): Promise<string> {
  const path = `/v1/files/${String(source).replace('upload:', '')}` as const;
  const { url } = (await call(key, 'GET', path)).data;
  return Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64');
}

test('a picture is answered in the message of the assistant, with what it cost', async () => {
  const key = await ownKey();
  const { status, headers, body } = await chat({ max_tokens: 300, stream: false }, key);
  assert.equal(status, 200, JSON.stringify(body));
  const [task] = await tasksOf(key);
  assert.equal(task!.input.prompt, 'a fox');
  assert.deepEqual([body.object, body.model, body.choices.length], ['chat.completion', 'sketch', 1]);
  const { message, finish_reason } = body.choices[0];
  assert.deepEqual([message.role, message.content, finish_reason], ['assistant', '', 'stop']);
  assert.deepEqual([message.images.length, message.images[0].type], [1, 'image_url']);
  const [, base64 = ''] = message.images[0].image_url.url.split('data:image/png;base64,');
  const { width, height } = await sharp(Buffer.from(base64, 'base64')).metadata();
  assert.deepEqual([width, height], [512, 512]);
  assert.deepEqual(body.usage, {
    prompt_tokens: 0,
    completion_tokens: 0,
    total_tokens: 0,
    cost: Number(task!.cost!.amount),
  });
  assert.equal(headers.get('darkroom-task-ids'), task!.task_id);
  assert.equal(headers.get('darkroom-ignored-fields'), 'max_tokens');
});

test('the requests of published clients and applications are answered with a picture', async () => {
  const text = [{ type: 'text', text: 'night' }];
  for (const body of [
    { model: 'google/gemini-2.5-flash-image' },
    { model: 'google/gemini-2.5-flash-image', messages: [{ role: 'user', content: [part(picture), ...text] }] },
    { modalities: ['image', 'text'], stream: false },
    { modalities: ['image'], messages: [{ role: 'system', content: 'You draw.' }, fox], temperature: 1, tools: [] },
    { messages: [{ role: 'user', content: [...text, part(picture)] }], image_config: { aspect_ratio: '16:9' } },
    { response_format: { type: 'text' }, stop: ['\n'], tool_choice: 'none', stream_options: null },
  ]) {
    const answer = await chat(body);
    assert.equal(answer.status, 200, JSON.stringify([body, answer.body]));
    assert.match(answer.body.choices[0].message.images[0].image_url.url, /^data:image\/png;base64,iVBOR/);
  }
});

test('the last text of the user is the prompt, and all pictures of the last turn are references', async () => {
  const key = await ownKey();
  const messages = [
    { role: 'system', content: 'You draw.' },
    { role: 'user', content: [{ type: 'text', text: 'a boat' }, part(shown)] },
    { role: 'assistant', content: 'Here it is.', images: [part(shown)] },
    { role: 'user', content: [{ type: 'text', text: 'one' }, part(picture)] },
    { role: 'user', content: [{ type: 'text', text: 'both' }, { type: 'text', text: 'together' }, part(picture)] },
  ];
  assert.equal((await chat({ messages }, key)).status, 200);
  const { prompt, image_urls: references } = await lastInput(key);
  assert.deepEqual([prompt, references.length], ['both\ntogether', 2]);
  assert.ok(picture.endsWith(await referenceOf(key, references[0])));
});

test('without pictures of the user, the last picture of the assistant is edited', async () => {
  const key = await ownKey();
  const night = { role: 'user', content: 'now at night' };
  for (const answered of [
    { role: 'assistant', content: '', images: [part(picture), part(shown)] },
    { role: 'assistant', content: [{ type: 'text', text: 'Here.' }, part(shown)] },
  ]) {
    const said = { role: 'assistant', content: 'Anything else?' };
    assert.equal((await chat({ messages: [fox, answered, said, night] }, key)).status, 200);
    const { prompt, image_urls: references } = await lastInput(key);
    assert.deepEqual([prompt, references.length], ['now at night', 1]);
    assert.ok(shown.endsWith(await referenceOf(key, references[0])));
  }
});

test('a model that edits no pictures makes a new one, and the answer says what it left out', async () => {
  const key = await ownKey();
  const messages = [fox, { role: 'assistant', content: '', images: [part(shown)] }, fox];
  const { status, headers } = await chat({ model: 'plain', messages, image_config: null }, key);
  assert.deepEqual([status, headers.get('darkroom-ignored-fields')], [200, 'messages.images']);
  const own = await chat({ model: 'plain', messages: [{ role: 'user', content: [part(picture)] }] }, key);
  assert.deepEqual([own.status, own.error.param], [400, 'image_url'], 'a picture of the user is never left out');
});

test('the shape of image_config is the nearest one that the model has', async () => {
  const key = await ownKey();
  for (const [config, expected, missed] of [
    [{ aspect_ratio: '16:9', image_size: '1K' }, ['16:9', '1K'], null],
    [{ aspect_ratio: '16:9', image_size: '1k', seed: 7 }, ['16:9', '1K'], null],
    [{ aspect_ratio: '20:9', image_size: '512' }, ['21:9', '0.5K'], 'aspect_ratio'],
    [{ aspect_ratio: 'auto' }, ['auto', '1K'], null],
  ] as const) {
    const { status, headers, body } = await chat({ image_config: config }, key);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('darkroom-ignored-fields'), missed);
    const { aspect_ratio, resolution, seed } = await lastInput(key);
    assert.deepEqual([aspect_ratio, resolution, seed], [...expected, 'seed' in config ? 7 : null]);
  }
});

test('several pictures are one choice each', async () => {
  const { body } = await chat({ n: 2 });
  assert.deepEqual(
    body.choices.map(({ index, message }) => [index, message.images.length]),
    [
      [0, 1],
      [1, 1],
    ],
  );
});

test('a stream has a chunk with the picture and one with the cost', async () => {
  const body = JSON.stringify({ model: 'sketch', messages: [fox], stream: true, ...SMALL });
  const headers = { authorization: `Bearer ${keys.test}`, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}${PATH}`, { method: 'POST', headers, body });
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  const events = (await answer.text()).split('\n\n').flatMap((event) => event.match(/^data: (.*)$/)?.[1] ?? []);
  assert.equal(events.pop(), '[DONE]');
  const [first, last, ...others] = events.map((event) => JSON.parse(event));
  assert.deepEqual([first.object, others], ['chat.completion.chunk', []]);
  assert.match(first.choices[0].delta.images[0].image_url.url, /^data:image\/png;base64,iVBOR/);
  assert.deepEqual([last.choices[0].finish_reason, last.usage.total_tokens, last.usage.cost > 0], ['stop', 0, true]);
});

test('a stream whose order fails ends with the error, and costs nothing', async () => {
  const key = await ownKey();
  const simulate = { outcome: 'content_policy' };
  const body = JSON.stringify({ model: 'sketch', messages: [fox], stream: true, simulate, ...SMALL });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const text = await (await fetch(`${service.url}${PATH}`, { method: 'POST', headers, body })).text();
  assert.match(text, /"finish_reason":"error".*"error":\{"message":.*"code":"content_policy"/);
  assert.equal((await tasksOf(key))[0]!.cost!.state, 'released');
});

test('what is no picture is refused with a sentence, and orders nothing', async () => {
  const key = await ownKey();
  const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
  for (const [body, status, code, param, says] of [
    [{ model: 'gpt-5.4' }, 404, 'model_not_found', 'model', /no text models: GET \/openai\/v1\/models/],
    [{ tools: [{ type: 'function' }] }, 400, 'unsupported_field', 'tools', /call no tools/],
    [{ functions: [{ name: 'draw' }] }, 400, 'unsupported_field', 'functions', /call no tools/],
    [{ modalities: ['text'] }, 400, 'unsupported_value', 'modalities', /no text models/],
    [{ modalities: ['image', 'audio'] }, 400, 'unsupported_value', 'modalities', /\["image"\]/],
    [{ messages: [] }, 400, 'invalid_request', 'messages', /list of messages/],
    [{ messages: 'a fox' }, 400, 'invalid_request', 'messages', /list of messages/],
    [{ messages: [fox, { role: 'assistant', content: 'A' }] }, 400, 'invalid_request', 'messages', /last turn/],
    [{ messages: [{ role: 'user', content: [audio] }] }, 400, 'unsupported_value', 'messages', /input_audio/],
    [{ messages: [{ role: 'user', content: [part('')] }] }, 400, 'invalid_request', 'messages', /data: URL/],
    [{ image_config: { aspect_ratio: 'wide' } }, 400, 'unsupported_value', 'aspect_ratio', /16:9/],
    [{ image_config: { image_size: 'huge' } }, 400, 'unsupported_value', 'image_size', /1K, 2K/],
  ] as const) {
    const { status: answered, error } = await chat(body, key);
    assert.deepEqual([answered, error.code, error.param], [status, code, param], JSON.stringify(body));
    assert.match(error.message, says);
  }
  assert.deepEqual(await tasksOf(key), []);
});

test('a form of text models is refused with the address of images', async () => {
  const tools = [{ type: 'image_generation', size: '1024x1024' }];
  for (const body of [
    { model: 'gpt-5.4', input: 'draw a fox', tools },
    { model: 'gpt-5.4', stream: false, input: [{ content: 'fox', role: 'user', type: 'message' }], tools },
  ]) {
    const { status, headers, error } = await call(keys.test, 'POST', '/openai/v1/responses', body);
    assert.deepEqual([status, headers.get('x-should-retry')], [400, 'false']);
    assert.match(error.message, /POST \/openai\/v1\/images\/generations/);
  }
});

test('a call that is repeated after a lost answer is ordered and charged once', async () => {
  const key = await ownKey();
  const retry = { 'x-stainless-retry-count': '1' };
  const first = await chat({}, key);
  const again = await chat({}, key, retry);
  assert.equal(again.headers.get('darkroom-task-ids'), first.headers.get('darkroom-task-ids'));
  assert.deepEqual(again.body.choices, first.body.choices);
  const keyed = { 'idempotency-key': 'one' };
  const [one, other] = [await chat({}, key, keyed), await chat({}, key, keyed)];
  assert.equal(one.headers.get('darkroom-task-ids'), other.headers.get('darkroom-task-ids'));
  assert.equal((await tasksOf(key)).length, 2);
  const ledger = (await call(key, 'GET', '/v1/account/ledger?limit=100')).data.items;
  assert.equal(ledger.filter(({ kind }) => kind === 'charge').length, 2);
});

test('a failed order is an error with its reason, which clients do not retry', async () => {
  const { status, headers, error } = await chat({ simulate: { outcome: 'upstream_error' } });
  assert.deepEqual([status, error.code, headers.get('x-should-retry')], [422, 'upstream_error', 'false']);
});
