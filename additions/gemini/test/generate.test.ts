import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskAnswer } from '../../../test/helpers/service.ts';
import { largePicture, picture, sizeOf, startGemini } from './gemini-service.ts';

/** `generateContent` and `predict`: an order for each picture, in Google's shapes. */

const gemini = await startGemini();
const { ask, ownKey, tasksOf, ledgerOf } = gemini;
const GENERATE = '/v1beta/models/sketch:generateContent';
const PREDICT = '/v1beta/models/sketch:predict';
const saying = (text: string, more: object = {}) => ({ contents: [{ role: 'user', parts: [{ text }] }], ...more });
const DATA = await picture();

test('a picture has its own size, its task and its cost, and is charged once', async () => {
  const key = await ownKey();
  const generationConfig = { imageConfig: { aspectRatio: '16:9', imageSize: '1K' }, seed: 7 };
  const { status, body, headers } = await ask(key, 'POST', GENERATE, saying('a fox', { generationConfig }));
  assert.equal(status, 200, JSON.stringify(body));
  const [task, ...others] = await tasksOf(key);
  assert.deepEqual([others, task?.status], [[], 'succeeded']);
  assert.deepEqual(
    [task?.input.aspect_ratio, task?.input.resolution, task?.input.seed, task?.input.prompt],
    ['16:9', '1K', 7, 'a fox'],
  );
  const [{ content, finishReason }] = body.candidates;
  assert.deepEqual(
    [content.role, content.parts[0].inlineData.mimeType, finishReason, body.modelVersion],
    ['model', 'image/png', 'STOP', 'sketch'],
  );
  const { width, height } = task?.outputs[0] ?? {};
  assert.deepEqual(sizeOf(content.parts[0].inlineData.data), [width, height]);
  assert.deepEqual(
    [headers.get('darkroom-task-ids'), headers.get('x-litellm-response-cost')],
    [task?.task_id, task?.cost.amount],
  );
  assert.deepEqual(await ledgerOf(key), ['charge', 'hold', 'release']);
});

test('several candidates and samples are as many orders', async () => {
  const key = await ownKey();
  const two = await ask(key, 'POST', GENERATE, saying('a fox', { generationConfig: { candidateCount: 2 } }));
  assert.equal(two.body.candidates.length, 2);
  const three = await ask(key, 'POST', PREDICT, { instances: [{ prompt: 'a fox' }], parameters: { sampleCount: 3 } });
  assert.equal(three.body.predictions.length, 3);
  assert.equal((await tasksOf(key)).length, 5);
});

test('the pictures of the last turn are changed, or else the last one that the model made', async () => {
  const image = { inlineData: { mimeType: 'image/png', data: DATA } };
  const cases: readonly (readonly [contents: unknown, prompt: string, pictures: number])[] = [
    ['a fox', 'a fox', 0],
    [['a fox', 'at night'], 'at night', 0],
    [{ text: 'a fox' }, 'a fox', 0],
    [[{ role: 'user', parts: [image, { text: 'as' }, { text: 'ink' }, image] }], 'as\nink', 2],
    [
      [{ parts: [{ text: 'a' }, image] }, { role: 'model', parts: [{ text: 'no' }] }, { parts: [{ text: 'b' }] }],
      'b',
      0,
    ],
    [
      [
        { role: 'model', parts: [image, image] },
        { role: 'user', parts: [{ text: 'blue' }] },
      ],
      'blue',
      1,
    ],
    [
      [
        { role: 'model', parts: [image] },
        { role: 'user', parts: [{ text: 'b' }, image, image] },
      ],
      'b',
      2,
    ],
    [[{ parts: [{ text: 'b' }, { file_data: { file_uri: `data:image/png;base64,${DATA}` } }] }], 'b', 1],
    [[{ parts: [{ text: 'b' }, { inline_data: { data: DATA.replaceAll('+', '-').replaceAll('/', '_') } }] }], 'b', 1],
  ];
  for (const [contents, prompt, pictures] of cases) {
    const key = await ownKey();
    const { status, text } = await ask(key, 'POST', GENERATE, { contents });
    assert.equal(status, 200, text.slice(0, 300));
    const [{ input }] = (await tasksOf(key)) as [TaskAnswer];
    const urls = input.image_urls as readonly string[] | null;
    assert.deepEqual([input.prompt, urls?.length ?? 0], [prompt, pictures], JSON.stringify(contents).slice(0, 80));
  }
});

test('a picture of megabytes arrives whole, with escaped slashes and in the alphabet for addresses, too', async () => {
  const data = await largePicture();
  assert.ok(data.length > 1_500_000, `${data.length}`);
  const body = { contents: [{ parts: [{ text: 'as ink' }, { inlineData: { mimeType: 'image/png', data } }] }] };
  const sent = JSON.stringify(body);
  for (const text of [
    sent,
    sent.replaceAll('/', '\\/'),
    sent.replace(data, data.replaceAll('+', '-').replaceAll('/', '_')),
  ]) {
    const { service } = gemini;
    const headers = { 'x-goog-api-key': await ownKey(), 'content-type': 'application/json' };
    const { status } = await fetch(`${service.url}/gemini${GENERATE}`, { method: 'POST', headers, body: text });
    assert.equal(status, 200);
  }
});

test('text, tools, JSON and what no model has are refused with a sentence, and nothing is ordered', async () => {
  const key = await ownKey();
  const config = (generationConfig: object) => saying('a fox', { generationConfig });
  const films = '/v1beta/models/sketch-motion:generateContent';
  const cases: readonly (readonly [path: string, body: object, status: number, message: RegExp])[] = [
    [GENERATE, config({ responseModalities: ['TEXT'] }), 400, /makes images and films, and no text/],
    [GENERATE, config({ responseModalities: ['AUDIO'] }), 400, /found AUDIO/],
    [GENERATE, config({ responseMimeType: 'application/json' }), 400, /no application\/json/],
    [GENERATE, config({ responseFormat: [{ text: { mimeType: 'text/plain' } }] }), 400, /found TEXT/],
    [GENERATE, config({ candidateCount: 9 }), 400, /candidateCount: expected a whole number from 1 to 8, found 9/],
    [GENERATE, config({ imageConfig: { aspectRatio: '7:3' } }), 400, /7:3/],
    [GENERATE, saying('a fox', { tools: [{ googleSearch: {} }] }), 400, /calls no tools/],
    [GENERATE, { contents: [{ parts: [{ functionResponse: { name: 'x' } }] }] }, 400, /calls no tools/],
    [GENERATE, { contents: [] }, 400, /last turn of the user/],
    [GENERATE, {}, 400, /last turn of the user/],
    [GENERATE, saying('a fox', { attachment: `data:image/png;base64,${DATA}` }), 400, /attachment/],
    ['/v1beta/models/gemini-2.5-flash:generateContent', saying('hello'), 404, /gemini-2.5-flash/],
    ['/v1beta/models/sketch:embedContent', saying('hello'), 404, /no text\. Methods: generateContent/],
    [films, saying('a boat'), 400, /sketch-motion makes films.*predictLongRunning/],
    [PREDICT, { instances: [{ prompt: 'a' }, { prompt: 'b' }] }, 400, /expected one instance, found 2/],
    [PREDICT, { instances: [] }, 400, /expected an object with a prompt/],
    ['/v1beta/nothing', {}, 404, /Nothing exists/],
  ];
  for (const [path, body, status, message] of cases) {
    const answer = await ask(key, 'POST', path, body);
    const { error } = answer.body;
    assert.match(error.message, message);
    assert.deepEqual([answer.status, error.code], [status, status], error.message);
    assert.equal(error.status, status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT');
    assert.equal(error.details[0].reason.toUpperCase(), error.details[0].reason);
  }
  assert.deepEqual([await tasksOf(key), await ledgerOf(key)], [[], []]);
});

test('a failed order is an error that no client sends again, and costs nothing', async () => {
  const key = await ownKey();
  for (const [outcome, status, word] of [
    ['content_policy', 400, 'INVALID_ARGUMENT'],
    ['upstream_error', 422, 'FAILED_PRECONDITION'],
  ] as const) {
    const { status: found, body } = await ask(key, 'POST', GENERATE, saying('a fox', { simulate: { outcome } }));
    assert.deepEqual([found, body.error.code, body.error.status], [status, status, word]);
    assert.deepEqual([body.error.details[0].reason], [outcome.toUpperCase()]);
  }
  assert.deepEqual(await ledgerOf(key), ['hold', 'hold', 'release', 'release']);
});

test('a stream ends with the picture, or with the error; without alt=sse it is a list', async () => {
  const key = await ownKey();
  const path = '/v1/models/sketch:streamGenerateContent';
  const made = await ask(key, 'POST', `${path}?alt=sse`, saying('a fox', { simulate: { seconds: 1 } }));
  assert.match(made.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.match(made.text, /^\s+data: \{"candidates".*\}\n\n$/, 'no comments: clients of Google read them as data');
  const failing = saying('a fox', { simulate: { outcome: 'content_policy' } });
  const failed = await ask(key, 'POST', `${path}?alt=sse`, failing);
  assert.equal(JSON.parse(failed.text.trim().slice('data: '.length)).error.code, 400);
  const listed = await ask(key, 'POST', path, saying('a fox'));
  assert.equal(listed.body[0].candidates.length, 1);
});

test('predict reads pictures, masks and the format', async () => {
  const key = await ownKey();
  const image = { bytesBase64Encoded: DATA, mimeType: 'image/png' };
  const referenceImages = [{ referenceType: 'REFERENCE_TYPE_RAW', referenceId: 1, referenceImage: image }];
  const body = {
    instances: { prompt: 'as ink', referenceImages },
    parameters: { sampleImageSize: '1K', negativePrompt: 'people', outputOptions: { mimeType: 'image/png' } },
  };
  assert.equal((await ask(key, 'POST', PREDICT, body)).status, 200);
  const [{ input }] = (await tasksOf(key)) as [TaskAnswer];
  assert.deepEqual(
    [(input.image_urls as string[]).length, input.resolution, input.negative_prompt, input.output_format],
    [1, '1K', 'people', 'png'],
  );
  const mask = { referenceType: 'REFERENCE_TYPE_MASK', referenceImage: image };
  const masked = await ask(key, 'POST', PREDICT, { instances: { prompt: 'x', referenceImages: [mask] } });
  assert.deepEqual([masked.status, /mask_url/.test(masked.body.error.message)], [400, true], 'sketch has no mask');
});

test('models are listed and found by their names and aliases', async () => {
  const key = await ownKey();
  const { body } = await ask(key, 'GET', '/v1beta/models');
  const names = body.models.map(({ name }: { name: string }) => name);
  assert.ok(names.indexOf('models/sketch') < names.indexOf('models/sketch-motion'), 'pictures first');
  const vertex = await ask(key, 'GET', '/v1beta1/publishers/google/models');
  assert.ok(
    vertex.body.publisherModels.some(({ name }: { name: string }) => name === 'publishers/google/models/sketch'),
  );
  const film = await ask(key, 'GET', '/v1/models/veo-3.0-generate-001');
  assert.deepEqual(
    [film.body.name, film.body.supportedGenerationMethods],
    ['models/veo-3.1', ['predictLongRunning', 'createInteraction']],
  );
  const unknown = await ask(key, 'GET', '/v1/models/gemini-2.5-flash');
  assert.deepEqual([unknown.status, unknown.body.error.details[0].reason], [404, 'MODEL_NOT_FOUND']);
});
