import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FinishReason, type GenerateContentResponse, GoogleGenAI, JobState } from '@google/genai';
import { assertRefusals } from './client-refusals.ts';
import { openFakeGoogle } from './google.ts';
import { smallPicture } from './small-picture.ts';

const STILLS = 'gemini-3-pro-image';
const FILMS = 'gemini-omni-1.1-flash';

const told = (error: unknown) => (error as { readonly status?: number }).status ?? null;
const pictureIn = ({ candidates = [] }: GenerateContentResponse) =>
  candidates[0]?.content?.parts?.find(({ thought, inlineData }) => thought !== true && inlineData !== undefined);

test("Google's own client talks to the fake: pictures, filters, the list of models and refusals", async (t) => {
  const fake = await openFakeGoogle();
  t.after(() => fake.stop());
  const clientWith = (apiKey: string) =>
    new GoogleGenAI({ apiKey, httpOptions: { baseUrl: new URL(fake.url).origin, retryOptions: { attempts: 1 } } });
  const client = clientWith(fake.key);
  const generate = (words: string, by = client, model = STILLS) =>
    by.models.generateContent({
      model,
      contents: `a fox ${words}`,
      config: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '3:2', imageSize: '2K' }, seed: 7 },
    });

  const made = pictureIn(await generate(''))?.inlineData;
  assert.ok(Buffer.from(made?.data ?? '', 'base64').equals(await smallPicture));
  assert.equal((await generate('[[end=blocked]]')).promptFeedback?.blockReason, 'PROHIBITED_CONTENT');
  const withheld = await generate('[[end=safety]]');
  assert.deepEqual(
    [withheld.candidates?.[0]?.finishReason, pictureIn(withheld)],
    [FinishReason.IMAGE_SAFETY, undefined],
  );
  const names: string[] = [];
  for await (const { name = '' } of await client.models.list()) names.push(name);
  assert.ok(names.includes(`models/${STILLS}`));
  await assertRefusals(told, {
    'a wrong key': [() => generate('', clientWith('wrong')), 400],
    'another model': [() => generate('', client, 'nobody-1'), 404],
    'a rate limit': [() => generate('[[submit=busy]]'), 429],
    'an empty account': [() => generate('[[submit=billing]]'), 402],
    'no permission': [() => generate('[[submit=denied]]'), 403],
    'an overload': [() => generate('[[submit=unavailable]]'), 503],
    'a bad order': [() => generate('[[submit=invalid]]'), 400],
  });
});

test("Google's own client talks to the fake: Omni's interactions with states, result, failure and refusals", async (t) => {
  const fake = await openFakeGoogle();
  t.after(() => fake.stop());
  const clientWith = (apiKey: string) =>
    new GoogleGenAI({ apiKey, httpOptions: { baseUrl: new URL(fake.url).origin, retryOptions: { attempts: 1 } } });
  const client = clientWith(fake.key);
  const order = async (words: string, by = client, model = FILMS) =>
    await by.interactions.create(
      {
        model,
        background: true,
        input: [{ type: 'user_input', content: [{ type: 'text', text: `a fox ${words}` }] }],
        response_modalities: ['video'],
        response_format: { type: 'video', aspect_ratio: '9:16', duration: '8s', resolution: '720p' },
        generation_config: { video_config: { task: 'text_to_video' } },
      },
      { retries: { strategy: 'none' } },
    );

  const { id = '', status } = await order('[[run=1]]');
  assert.equal(status, 'in_progress');
  assert.equal((await client.interactions.get(id)).status, 'in_progress');
  const done = await client.interactions.get(id);
  assert.equal(done.status, 'completed');
  const film = (done.steps ?? [])
    .flatMap((step) => (step.type === 'model_output' ? (step.content ?? []) : []))
    .find((content) => content.type === 'video');
  assert.ok(film !== undefined && Buffer.from(film.data ?? '', 'base64').equals(await smallPicture));

  const refused = await client.interactions.get((await order('[[end=usage]]')).id ?? '');
  assert.equal(refused.status, 'failed');
  assert.match(JSON.stringify(refused.errors), /usage guidelines/);
  await assertRefusals(told, {
    'a wrong key': [() => order('', clientWith('wrong')), 400],
    'another model': [() => order('', client, 'gemini-nobody'), 404],
    'a rate limit': [() => order('[[submit=busy]]'), 429],
    'a bad order': [() => order('[[submit=invalid]]'), 400],
    'an interaction that is not there': [() => client.interactions.get('nobody'), 404],
  });
});

test("Google's own client talks to the fake: its Batch API with states, list, result, refusal and cancel", async (t) => {
  const fake = await openFakeGoogle();
  t.after(() => fake.stop());
  const httpOptions = { baseUrl: new URL(fake.url).origin, retryOptions: { attempts: 1 } };
  const { batches } = new GoogleGenAI({ apiKey: fake.key, httpOptions });
  const order = async (words: string, key: string) => {
    const contents = [{ role: 'user', parts: [{ text: `a fox [[${words}]]` }] }];
    const src = [{ contents, metadata: { key }, config: { responseModalities: ['IMAGE'] } }];
    const { name = '', state } = await batches.create({ model: STILLS, src, config: { displayName: key } });
    assert.equal(state, JobState.JOB_STATE_PENDING);
    return name;
  };
  const name = await order('queue=1 run=1', 'one');
  const states = [await batches.get({ name }), await batches.get({ name })].map(({ state }) => state);
  assert.deepEqual(states, [JobState.JOB_STATE_PENDING, JobState.JOB_STATE_RUNNING]);
  const { state, dest } = await batches.get({ name });
  assert.equal(state, JobState.JOB_STATE_SUCCEEDED);
  const [made] = dest?.inlinedResponses ?? [];
  assert.equal(made?.metadata?.key, 'one');
  const data = pictureIn(made?.response ?? assert.fail())?.inlineData?.data ?? '';
  assert.ok(Buffer.from(data, 'base64').equals(await smallPicture));

  const refused = await batches.get({ name: await order('end=refused', 'two') });
  assert.match(JSON.stringify(refused.dest?.inlinedResponses), /invalid argument/);
  const third = await order('run=9', 'three');
  await batches.cancel({ name: third });
  assert.equal((await batches.get({ name: third })).state, JobState.JOB_STATE_CANCELLED);
  const listed: unknown[] = [];
  for await (const { displayName } of await batches.list({ config: { pageSize: 2 } })) listed.push(displayName);
  assert.deepEqual(listed, ['one', 'two', 'three']);
  await assertRefusals(told, { 'a job that is not there': [() => batches.get({ name: 'batches/nobody' }), 404] });
});
