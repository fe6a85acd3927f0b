import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, createFalClient, type FalClient } from '@fal-ai/client';
import { assertRefusals } from './client-refusals.ts';
import { openFakeServer } from './fake-server.ts';
import { openFakeFal } from './fal.ts';
import { readClientTypes } from './fal-client-types.ts';
import { falInputs } from './fal-inputs.ts';
import { smallPicture } from './small-picture.ts';

const MODEL = 'fal-ai/flux/dev';
/** The client sends it only if told; the engine always does, since fal would repeat the order by itself. */
const headers = { 'x-fal-no-retry': '1' };

test("fal's own client talks to the fake: queue, states, result, upload, cancel, failures and refusals", async (t) => {
  const fake = await openFakeFal({ [MODEL]: { prompt: { type: 'string', required: true } } });
  t.after(() => fake.stop());
  const clientWith = (credentials: string) =>
    createFalClient({
      credentials,
      // It has no setting for the address.
      fetch: (url, init) => fetch(String(url).replace(/^https:\/\/(?:queue|rest)\.fal\.(?:run|ai)/, fake.url), init),
    });
  const client = clientWith(fake.key);
  const submit = (words: string, by: FalClient = client, model = MODEL) =>
    by.queue.submit(model, { input: { prompt: `a fox ${words}` }, headers });
  const about = async (words: string) => ({ requestId: (await submit(words)).request_id });

  const seen: string[] = [];
  const { data } = await client.subscribe(MODEL, {
    input: { prompt: 'a fox [[queue=1 run=1]]' },
    headers,
    pollInterval: 1,
    onQueueUpdate: ({ status }) => seen.push(status),
  });
  assert.deepEqual(seen, ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED']);
  const [image] = data.images;
  assert.ok(Buffer.from(await (await fetch(image?.url ?? '')).arrayBuffer()).equals(await smallPicture));
  const blob = new Blob([new Uint8Array(await smallPicture)], { type: 'image/png' });
  const uploaded = await client.storage.upload(blob, { lifecycle: { expiresIn: '1d' } });
  assert.ok(fake.uploads.get(uploaded)?.equals(await smallPicture));

  const called = Promise.withResolvers<unknown>();
  const receiver = await openFakeServer(({ json, reply }) => {
    called.resolve(json);
    reply(200, {});
  });
  t.after(() => receiver.stop());
  const hooked = await client.queue.submit(MODEL, { input: { prompt: 'a fox' }, headers, webhookUrl: receiver.url });
  assert.equal(((await called.promise) as { request_id: string }).request_id, hooked.request_id);

  // After 429 and 503 it submits again.
  for (const trouble of ['busy', 'overloaded']) {
    const job = `[[job=${trouble} submit=${trouble}]]`;
    assert.equal((await submit(job)).status, 'IN_QUEUE');
    assert.deepEqual([fake.counts(trouble).attempts, fake.counts(trouble).accepted], [2, 1]);
  }
  const unwanted = await about('[[run=9]]');
  await client.queue.cancel(MODEL, unwanted);
  assert.equal((await client.queue.status(MODEL, unwanted)).status, 'COMPLETED');

  const resultOf = async (words: string) => {
    const order = await about(words);
    await client.queue.status(MODEL, order);
    return await client.queue.result(MODEL, order);
  };
  const told = (error: unknown) =>
    error instanceof ApiError ? [error.status, error.body.detail[0]?.type ?? error.body.detail] : null;
  await assertRefusals(told, {
    'a wrong key': [() => submit('', clientWith('id:wrong')), [401, 'No user found for Key ID and Secret']],
    'another model': [() => submit('', client, 'fal-ai/nobody'), [404, "Application 'nobody' not found"]],
    'a locked account': [() => submit('[[submit=locked]]'), [403, 'Your account has been locked.']],
    'a bad order': [() => submit('[[submit=invalid]]'), [422, 'sequence_too_short']],
    'a refused prompt': [() => submit('[[submit=content]]'), [422, 'content_policy_violation']],
    'a refused result': [() => resultOf('[[end=content]]'), [422, 'content_policy_violation']],
    'a crash': [() => resultOf('[[end=crashed]]'), [500, 'internal_server_error']],
    'an early result': [
      async () => await client.queue.result(MODEL, await about('[[run=9]]')),
      [400, 'Request is still in progress'],
    ],
    'a canceled order': [() => client.queue.result(MODEL, unwanted), [499, 'Request cancelled']],
    'an order that is not there': [
      () => client.queue.status(MODEL, { requestId: '00000000-0000-0000-0000-000000000000' }),
      [404, 'Request not found'],
    ],
  });
});

/** The types of the client are older than the fake's inputs, which have the date of each. */
const NEWER = [
  'fal-ai/nano-banana-pro: system_prompt',
  'fal-ai/nano-banana-pro/edit: system_prompt',
  'fal-ai/veo3.1: resolution=4k',
  'fal-ai/veo3.1/fast: resolution=4k',
  'fal-ai/veo3.1/fast/image-to-video: resolution=4k',
  'fal-ai/veo3.1/image-to-video: resolution=4k',
  'fal-ai/wan/v2.7/pro/edit: output_format',
  'fal-ai/wan/v2.7/pro/text-to-image: num_images',
  'fal-ai/wan/v2.7/pro/text-to-image: output_format',
];

test("the fake of fal takes no field, value or omission that the types of fal's own client refuse", (t) => {
  const inputs = falInputs();
  const shared = Object.entries(readClientTypes()).filter(([endpoint]) => endpoint in inputs);
  t.diagnostic(`${shared.length} of ${Object.keys(inputs).length} endpoints are typed there`);
  assert.ok(shared.length >= 50, `${shared.length}`);
  const differences = shared.flatMap(([endpoint, typed]) => {
    const shape = inputs[endpoint] ?? {};
    const unknown = Object.entries(shape).flatMap(([name, { enum: values = [] }]) => {
      const texts = typed[name]?.texts;
      if (typed[name] === undefined) return [name];
      const others = values.filter((value) => typeof value === 'string' && texts?.includes(value) === false);
      return others.map((value) => `${name}=${value}`);
    });
    const missing = Object.entries(typed).filter(([name, { required }]) => required && shape[name]?.required !== true);
    return [...unknown, ...missing.map(([name]) => `${name} is not required`)].map((what) => `${endpoint}: ${what}`);
  });
  assert.deepEqual(differences, NEWER);
});
