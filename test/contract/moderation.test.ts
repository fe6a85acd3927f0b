import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import sharp from 'sharp';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { wholeFile } from '../helpers/whole-file.ts';

const engines = [createSwiftEngine()];
const ORDER = { model_id: 'sketch', prompt: 'a fox', resolution: '0.5K', end_user: 'ann' };

interface Verdict {
  readonly status?: number;
  readonly body: unknown;
}

/** What moderation is asked. */
interface Question {
  readonly stage: 'input' | 'output';
  readonly task_id: string;
  readonly model_id: string;
  readonly prompt: string;
  readonly end_user: string;
  readonly urls: readonly string[];
  readonly texts: readonly { readonly field: string; readonly text: string }[];
  readonly media: readonly { readonly field: string; readonly url: string; readonly content_type: string }[];
}

/** A moderation service that answers as it is told, and keeps what it was asked. */
async function startModeration(
  t: Pick<TestContext, 'after'>,
  answer: (question: Question) => Verdict | Promise<Verdict>,
) {
  const asked: Question[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const question = JSON.parse(Buffer.concat(chunks).toString());
    asked.push(question);
    const { status = 200, body } = await answer(question);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`, asked };
}

/** What the moderation of the shared service answers. Each test says it. */
let answer: (question: Question) => Verdict | Promise<Verdict>;
const moderation = await startModeration(wholeFile, (question) => answer(question));
const service = await startTestService(wholeFile, {
  env: { DARKROOM_MODERATION_URL: moderation.url },
  service: { engines },
});
const askedOf = ({ task_id: id }: TaskAnswer) => moderation.asked.filter((one) => one.task_id === id);

test('moderation is asked before a submission and before success, and lets pass what it allows', async () => {
  const seen: number[] = [];
  answer = async ({ urls }) => {
    for (const url of urls) seen.push((await (await fetch(url)).arrayBuffer()).byteLength);
    return { body: { allowed: true } };
  };
  const task = await service.make(service.keys.test, '/v1/images', ORDER);
  assert.equal(task.status, 'succeeded');
  assert.deepEqual(seen, [task.outputs[0].bytes], 'the output can be looked at before it has succeeded');
  const [before, after] = askedOf(task) as [Question, Question];
  assert.deepEqual(
    [before.stage, before.task_id, before.model_id, before.prompt, before.end_user, before.urls],
    ['input', task.task_id, 'sketch', 'a fox', 'ann', []],
  );
  assert.deepEqual(before.texts, [{ field: 'prompt', text: 'a fox' }]);
  assert.equal(after.stage, 'output');
  assert.deepEqual(after.media, [{ field: 'outputs[0]', url: after.urls[0], content_type: 'image/png' }]);
});

const kling = { model_id: 'kling-3.0', duration: 3 };
const film = { model_id: 'wan-3.0', prompt: 'a film', enable_thinking: true };
/** What each order asks moderation beside a prompt: no text of an engine's own may pass unseen. */
const WORDED: readonly [string, string, object, readonly (readonly [string, string])[]][] = [
  [
    'a negative prompt',
    '/v1/videos',
    { ...kling, prompt: 'a fox', negative_prompt: 'forbidden' },
    [
      ['prompt', 'a fox'],
      ['negative_prompt', 'forbidden'],
    ],
  ],
  [
    'the prompts of several shots',
    '/v1/videos',
    { ...kling, multi_prompt: [1, 2].map((duration) => ({ duration, prompt: `shot ${duration}` })) },
    [
      ['multi_prompt[0].prompt', 'shot 1'],
      ['multi_prompt[1].prompt', 'shot 2'],
    ],
  ],
  [
    'a structured prompt',
    '/v1/images',
    { model_id: 'ideogram-v4', json_prompt: { scene: { objects: ['a fox', { color: 'red' }] }, count: 2 } },
    [
      ['json_prompt.scene.objects[0]', 'a fox'],
      ['json_prompt.scene.objects[1].color', 'red'],
    ],
  ],
];

test('moderation sees every text and every medium of an order, each with its field', async () => {
  answer = () => ({ body: { allowed: false, reason: 'No.' } });
  const { test: key } = service.keys;
  for (const [what, path, body, expected] of WORDED) {
    const task = await service.make(key, path, body);
    assert.equal(task.status, 'failed', what);
    const texts = expected.map(([field, text]) => ({ field, text }));
    assert.deepEqual(moderation.asked.at(-1)?.texts, texts, what);
  }

  const picture = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  const source = `data:image/png;base64,${picture.toString('base64')}`;
  await service.make(key, '/v1/images', { ...ORDER, image_urls: [source], style_image_urls: [source] });
  const { urls, media } = moderation.asked.at(-1)!;
  assert.deepEqual(
    media.map(({ field, content_type: type }) => [field, type]),
    [
      ['image_urls[0]', 'image/png'],
      ['style_image_urls[0]', 'image/png'],
    ],
  );
  assert.deepEqual(
    media.map(({ url }) => url),
    urls,
  );
  await service.make(key, '/v1/videos', { ...film, web_url: 'https://page.example/fox' });
  const asked = moderation.asked.at(-1)!;
  assert.deepEqual(asked.media, [{ field: 'web_url', url: 'https://page.example/fox', content_type: null }]);
  assert.deepEqual(asked.texts, [{ field: 'prompt', text: 'a film' }]);
});

for (const stage of ['input', 'output']) {
  test(`an order whose ${stage} moderation refuses fails as content_policy with the reason, released`, async () => {
    answer = (question) => ({
      body: question.stage === stage ? { allowed: false, reason: 'No foxes here.' } : { allowed: true },
    });
    const task = await service.make(service.keys.test, '/v1/images', ORDER);
    assert.deepEqual(
      [task.status, task.error.code, task.error.message],
      ['failed', 'content_policy', 'No foxes here.'],
    );
    assert.deepEqual([task.cost.state, task.cost.amount, task.outputs], ['released', '0.00', []]);
    assert.equal(task.started_at === null, stage === 'input', 'what is refused at once was never submitted');
  });
}

for (const required of [true, false]) {
  test(`an unreachable moderation ${required ? 'refuses' : 'accepts'} orders, as the setting says`, async (t) => {
    answer = () => ({ status: 500, body: {} });
    const { keys, make } = await startTestService(t, {
      env: { DARKROOM_MODERATION_URL: moderation.url, DARKROOM_MODERATION_REQUIRED: String(required) },
      service: { engines },
    });
    const task = await make(keys.test, '/v1/images', ORDER);
    assert.equal(task.status, required ? 'failed' : 'succeeded');
    if (required) assert.equal(task.error.code, 'content_policy');
  });
}
