import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@darkroom-service/testing';
import { picture, sizeOf, startGemini } from './gemini-service.ts';

/** Interactions: pictures and films that are awaited, polled, streamed and canceled. */

const { ask, ownKey, tasksOf, ledgerOf } = await startGemini();
const PATH = '/v1beta/interactions';
const FOX = { model: 'sketch', input: 'a fox', response_modalities: ['image'] };
const FILM = { model: 'sketch-motion', input: 'a boat', response_modalities: ['video'], background: true };
const LONG = { simulate: { seconds: 3600 } };

test('a picture is answered in the steps of the interaction, and can be read again', async () => {
  const key = await ownKey();
  const format = { type: 'image', aspect_ratio: '16:9', image_size: '1K', mime_type: 'image/png' };
  const { status, body } = await ask(key, 'POST', PATH, { ...FOX, response_format: format });
  assert.equal(status, 200, JSON.stringify(body));
  const [{ type, content }] = body.steps;
  assert.deepEqual(
    [body.object, body.model, body.status, type, content[0].type, content[0].mime_type],
    ['interaction', 'sketch', 'completed', 'model_output', 'image', 'image/png'],
  );
  const [width = 0, height = 0] = sizeOf(content[0].data);
  assert.ok(width > height, 'as wide as ordered');
  assert.deepEqual(
    (await ask(key, 'GET', `${PATH}/${body.id}?stream=false`)).body.steps[0].content[0].data,
    content[0].data,
  );
  assert.deepEqual(await ledgerOf(key), ['charge', 'hold', 'release']);
  assert.equal((await ask(await ownKey(), 'GET', `${PATH}/${body.id}`)).status, 404, 'not with another key');
});

test('the last turn of the user orders, and an earlier interaction is changed', async () => {
  const key = await ownKey();
  const image = { type: 'image', data: await picture(), mime_type: 'image/png' };
  const text = (words: string) => ({ type: 'text', text: words });
  const { body: first } = await ask(key, 'POST', PATH, FOX);
  const cases: readonly (readonly [body: object, prompt: string, pictures: number])[] = [
    [{ input: [text('at'), text('night'), image] }, 'at\nnight', 1],
    [{ input: text('a hill') }, 'a hill', 0],
    [{ input: ['a hill', image] }, 'a hill', 1],
    [{ input: [{ role: 'user', content: 'a hill' }] }, 'a hill', 0],
    [
      {
        input: [
          { type: 'user_input', content: [text('a fox')] },
          { type: 'model_output', content: [image] },
          { type: 'user_input', content: [text('blue')] },
        ],
      },
      'blue',
      1,
    ],
    [{ input: 'at night', previous_interaction_id: first.id }, 'at night', 1],
  ];
  for (const [fields, prompt, pictures] of cases) {
    const { status, body, headers } = await ask(key, 'POST', PATH, { ...FOX, ...fields });
    assert.equal(status, 200, JSON.stringify(body).slice(0, 300));
    const id = headers.get('darkroom-task-ids');
    const { input } = (await tasksOf(key)).find(({ task_id: one }) => one === id)!;
    const urls = input.image_urls as readonly string[] | null;
    assert.deepEqual([input.prompt, urls?.length ?? 0], [prompt, pictures], JSON.stringify(fields).slice(0, 80));
  }
});

test('a film runs in the background until it is completed', async () => {
  const key = await ownKey();
  const format = { type: 'video', aspect_ratio: '16:9', resolution: '480p', duration: '2s' };
  const { body: ordered } = await ask(key, 'POST', PATH, { ...FILM, response_format: format });
  assert.deepEqual([ordered.status, ordered.steps], ['in_progress', []]);
  const done = await until(
    async () => (await ask(key, 'GET', `${PATH}/${ordered.id}?stream=false`)).body,
    ({ status }) => status !== 'in_progress',
  );
  const [film] = done.steps[0].content;
  assert.deepEqual([done.status, film.type, film.mime_type], ['completed', 'video', 'video/mp4']);
  assert.equal(Buffer.from(film.data, 'base64').subarray(4, 8).toString(), 'ftyp');
  assert.equal((await fetch(film.uri)).headers.get('content-type'), 'video/mp4');
  const [task] = await tasksOf(key);
  assert.deepEqual([task?.input.duration, task?.input.resolution], [2, '480p']);
});

test('a picture in a film is its first frame', async () => {
  const key = await ownKey();
  const image = { type: 'image', data: await picture(), mime_type: 'image/png' };
  await ask(key, 'POST', PATH, { ...FILM, ...LONG, input: [{ type: 'text', text: 'it moves' }, image] });
  const [task] = await tasksOf(key);
  assert.match(String(task?.input.first_frame_url), /^upload:/);
});

test('an answer by address has no content', async () => {
  const key = await ownKey();
  const { body } = await ask(key, 'POST', PATH, { ...FOX, response_format: { type: 'image', delivery: 'uri' } });
  const [image] = body.steps[0].content;
  assert.deepEqual([image.data, (await fetch(image.uri)).status], [undefined, 200]);
});

test('an interaction is canceled once and again, and costs nothing', async () => {
  const key = await ownKey();
  const { body } = await ask(key, 'POST', PATH, { ...FILM, ...LONG });
  await ask(key, 'POST', `${PATH}/${body.id}/cancel`);
  const canceled = await until(
    async () => (await ask(key, 'POST', `${PATH}/${body.id}/cancel`)).body,
    ({ status }) => status !== 'in_progress',
  );
  assert.deepEqual([canceled.status, canceled.errors[0].code], ['cancelled', 'canceled']);
  assert.deepEqual(await ledgerOf(key), ['hold', 'release']);
  assert.equal((await ask(key, 'DELETE', `${PATH}/${body.id}`)).status, 200);
  assert.equal((await ask(key, 'GET', `${PATH}/${body.id}`)).status, 404);
});

test('a failed interaction says why, and costs nothing', async () => {
  const key = await ownKey();
  const { status, body } = await ask(key, 'POST', PATH, { ...FOX, simulate: { outcome: 'content_policy' } });
  assert.deepEqual([status, body.status, body.errors[0].code, body.steps], [200, 'failed', 'content_policy', []]);
  assert.deepEqual(await ledgerOf(key), ['hold', 'release']);
});

test('a stream tells the beginning, the picture and the end; of a finished interaction, too', async () => {
  const key = await ownKey();
  const { text } = await ask(key, 'POST', PATH, { ...FOX, stream: true });
  const events = eventsOf(text);
  const types = ['interaction.created', 'step.start', 'step.delta', 'step.stop', 'interaction.completed'];
  assert.deepEqual(
    events.map(({ event_type: type }) => type),
    types,
  );
  sizeOf(events[2]?.delta.data);
  assert.deepEqual([events[0]?.interaction.status, events[4]?.interaction.status], ['in_progress', 'completed']);
  const again = await ask(key, 'GET', `${PATH}/${events[0]?.interaction.id}?stream=true`);
  assert.equal(eventsOf(again.text).length, types.length);
  const failing = await ask(key, 'POST', PATH, { ...FOX, stream: true, simulate: { outcome: 'content_policy' } });
  assert.deepEqual(
    eventsOf(failing.text).map(({ event_type: type }) => type),
    ['interaction.created', 'error', 'interaction.completed'],
  );
});

test('text, tools and agents are refused with a sentence and a code, and nothing is ordered', async () => {
  const key = await ownKey();
  for (const [body, message] of [
    [{ ...FOX, response_modalities: ['text'] }, /makes images and films, and no text/],
    [{ ...FOX, response_format: { type: 'audio' } }, /found AUDIO/],
    [{ ...FOX, response_mime_type: 'application/json' }, /no application\/json/],
    [{ ...FOX, tools: [{ type: 'google_search' }] }, /calls no tools/],
    [{ agent: 'deep-research', input: 'a fox' }, /has no agents/],
    [{ ...FOX, input: [] }, /input: expected a text or an image/],
    [{ ...FOX, previous_interaction_id: 'int_1' }, /no interaction 'int_1'/],
    [{ ...FOX, model: 'gemini-2.5-flash' }, /gemini-2.5-flash/],
  ] as const) {
    const { status, body: answer } = await ask(key, 'POST', PATH, body);
    assert.match(answer.error.message, message);
    assert.deepEqual([status >= 400 && status < 408, typeof answer.error.code], [true, 'string']);
  }
  assert.deepEqual([await tasksOf(key), await ledgerOf(key)], [[], []]);
});

function eventsOf(text: string) {
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}
