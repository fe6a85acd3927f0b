import assert from 'node:assert/strict';
import { test } from 'node:test';
import { falInputs, openFakeFal } from '@darkroom-service/engines/fakes';
import { startTestService, type TaskAnswer } from '../helpers/service.ts';
import { silentVoice } from '../helpers/silent-voice.ts';
import { wholeFile } from '../helpers/whole-file.ts';

/** Tools of vendors as actions of every finished image and video (contract §7). */

const service = await startTestService(wholeFile);
const { call, keys, make } = service;
const IMAGE = { model_id: 'sketch', prompt: 'a fox', size: '96x64' };
const FILM = { model_id: 'sketch-motion', prompt: 'a fox', aspect_ratio: '1:1', resolution: '360p', duration: 1 };
const fox = await make(keys.test, '/v1/images', IMAGE);
const film = await make(keys.test, '/v1/videos', FILM);

const offersOf = (task: TaskAnswer) =>
  task.available_actions.map(({ action, model_id, price }) => `${action} ${model_id} ${price}`);
const sourceOf = ({ task_id: id }: TaskAnswer) => `task:${id}`;

test('a finished image offers each action once, by the first tool of the catalog that takes it', () => {
  assert.deepEqual(offersOf(fox), [
    'cut_out bria-rmbg-2 0.018',
    // The maximum: no voice is given yet.
    'speak omnihuman-1.5 9.60',
    'enlarge enlarge 0.008',
  ]);
  const speak = fox.available_actions.find(({ action }) => action === 'speak');
  assert.deepEqual(Object.keys(speak?.parameters ?? {}).sort(), ['audio_url', 'prompt', 'resolution']);
});

test('a finished video offers to speak, by the first tool that takes its size', () => {
  // Kling LipSync comes before it in the catalog, and needs sides of 720 pixels.
  assert.deepEqual(offersOf(film), ['speak sync-3 0.133333']);
});

test('a cut-out is ordered as an action at the offered price, and is an image with transparency', async () => {
  const body = { parent_task_id: fox.task_id, action: 'cut_out' };
  const cut = await make(keys.test, '/v1/images/actions', body);
  assert.deepEqual([cut.status, cut.model_id, cut.cost.amount], ['succeeded', 'bria-rmbg-2', '0.018']);
  assert.deepEqual([cut.input.image_urls, cut.warnings ?? []], [[sourceOf(fox)], []]);
  const other = await make(keys.test, '/v1/images/actions', { ...body, model_id: 'pixelcut-background-remover' });
  assert.deepEqual([other.model_id, other.cost.amount], ['pixelcut-background-remover', '0.016']);
});

test('the person of an image speaks: the action makes a video, which its price knows by the voice', async () => {
  const body = { parent_task_id: fox.task_id, action: 'speak', audio_url: silentVoice(1) };
  const { data: quote } = await call(keys.test, 'POST', '/v1/prices', body);
  assert.deepEqual([quote.model_id, quote.type, quote.amount, quote.exact], ['omnihuman-1.5', 'video', '0.16', true]);
  const created = await call(keys.test, 'POST', '/v1/images/actions', body);
  assert.equal(created.status, 201, JSON.stringify(created.error));
  assert.equal(created.data.type, 'video');
  assert.match(created.headers.get('location') ?? '', /\/v1\/videos\/vid_/);
  const missing = await call(keys.test, 'POST', '/v1/images/actions', { ...body, audio_url: null });
  assert.deepEqual([missing.status, missing.error.param], [400, 'audio_url']);
});

test('the tool of a film is an order of videos with source, by its action or by its model', async () => {
  const order = { source: sourceOf(film), audio_url: silentVoice(3) };
  for (const [named, model] of [
    [{ action: 'speak' }, 'sync-3'],
    [{ action: 'speak', model_id: 'sync-lipsync-2' }, 'sync-lipsync-2'],
    [{ model_id: 'sync-3' }, 'sync-3'],
  ] as const) {
    const { data: quote } = await call(keys.test, 'POST', '/v1/prices', { ...order, ...named });
    const { status, data: spoken } = await call(keys.test, 'POST', '/v1/videos', { ...order, ...named });
    assert.deepEqual([status, spoken.model_id, spoken.input.video_url], [201, model, sourceOf(film)]);
    assert.deepEqual([spoken.cost.quoted, quote.exact], [quote.amount, true]);
  }
});

test('a source that is missing, unfinished, foreign or of the other kind is refused, naming it', async () => {
  const order = { action: 'speak', audio_url: silentVoice(3) };
  const refusal = async (body: object, path: '/v1/images' | '/v1/videos' = '/v1/videos') => {
    const { status, error } = await call(keys.test, 'POST', path, { ...order, ...body });
    return [status, error?.code, error?.param];
  };
  const { data: open } = await call(keys.test, 'POST', '/v1/videos', { ...FILM, simulate: { outcome: 'stuck' } });
  assert.deepEqual(await refusal({ source: sourceOf(open) }), [409, 'parent_not_ready', 'source']);
  for (const source of ['task:vid_00000000000000000000000000', 'https://example.com/film.mp4', 7])
    assert.deepEqual(await refusal({ source }), [400, 'invalid_reference', 'source'], String(source));
  const ofImage = { model_id: 'sync-3', action: undefined, source: sourceOf(fox) };
  assert.deepEqual(await refusal(ofImage), [400, 'invalid_reference', 'source']);
  const fly = { action: 'fly', source: sourceOf(film) };
  assert.deepEqual(await refusal(fly), [400, 'unsupported_action', 'action']);
  const noTool = { ...FILM, action: undefined, audio_url: undefined, source: sourceOf(film) };
  assert.deepEqual(await refusal(noTool), [400, 'unsupported_field', 'source']);
  assert.deepEqual(await refusal({ source: sourceOf(film) }, '/v1/images'), [400, 'unsupported_action', 'action']);
});

test('a source that does not fit the limits of its tool is named as it was sent, not by the field of the tool', async () => {
  const order = { model_id: 'kling-lipsync', source: sourceOf(film), audio_url: silentVoice(3) };
  const { status, error } = await call(keys.test, 'POST', '/v1/videos', order);
  assert.deepEqual([status, error.code, error.param], [400, 'invalid_reference', 'source'], error.message);
  assert.doesNotMatch(error.message, /video_url/);
  const twice = await call(keys.test, 'POST', '/v1/videos', { ...order, video_url: sourceOf(film) });
  assert.deepEqual([twice.status, twice.error.param], [400, 'video_url']);
  const body = { parent_task_id: fox.task_id, action: 'enlarge', model_id: 'enlarge', factor: 2 };
  const wide = await make(keys.test, '/v1/images', { ...IMAGE, size: '1600x1600' });
  const large = await call(keys.test, 'POST', '/v1/images/actions', { ...body, parent_task_id: wide.task_id });
  assert.deepEqual([large.status, large.error.param], [400, 'parent_task_id'], large.error.message);
});

test('an order of a batch makes a film of the same batch speak', async () => {
  const { data, error } = await call(keys.test, 'POST', '/v1/batches/prices', {
    orders: [
      { name: 'film', operation: 'videos', body: FILM },
      {
        name: 'spoken',
        operation: 'videos',
        body: { action: 'speak', source: 'order:film', audio_url: 'https://example.com/voice.mp3' },
      },
    ],
  });
  assert.equal(error, undefined, JSON.stringify(error));
  assert.deepEqual(
    data.models.map(({ model_id: id }: { model_id: string }) => id),
    ['sketch-motion', 'sync-3'],
  );
});

test('a live key is offered the tools of the machine alone without a configured engine, and orders those of one', async (t) => {
  const live = await make(keys.live, '/v1/images', IMAGE);
  assert.deepEqual(offersOf(live), ['enlarge enlarge 0.008']);
  const fake = await openFakeFal(falInputs(), () => '[[end=film file=film]]');
  t.after(() => fake.stop());
  const withFal = await startTestService(t, { env: { FAL_KEY: fake.key, DARKROOM_FAL_URL: fake.url } });
  const { task_id: id } = await withFal.make(withFal.keys.live, '/v1/videos', FILM);
  const body = { action: 'speak', source: `task:${id}`, audio_url: silentVoice(3) };
  const spoken = await withFal.make(withFal.keys.live, '/v1/videos', body);
  assert.deepEqual([spoken.status, spoken.model_id], ['succeeded', 'sync-3'], JSON.stringify(spoken.error));
  const [job] = [...fake.jobs.values()];
  assert.deepEqual(Object.keys(job?.input ?? {}).sort(), ['audio_url', 'sync_mode', 'video_url']);
});
