import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GoogleGenAI, VideoGenerationReferenceType } from '@google/genai';
import { assertRefusals } from './client-refusals.ts';
import { smallPicture } from './small-picture.ts';
import { openFakeVertex } from './vertex.ts';
import { vertexKeyFile } from './vertex-access.ts';
import { PROJECT } from './vertex-accounts.ts';

const FILMS = 'veo-3.1-generate-001';

test("Google's own client talks to the fake of Vertex AI: sign-in, Veo, pictures, filters, failures and refusals", async (t) => {
  const fake = await openFakeVertex();
  t.after(() => fake.stop());
  const clientWith = (key: string) => {
    const credentials = JSON.parse(vertexKeyFile(fake, key)) as Readonly<Record<string, string>>;
    return new GoogleGenAI({
      vertexai: true,
      project: PROJECT,
      location: 'global',
      googleAuthOptions: {
        credentials,
        // Its library signs in at Google, whatever the key file says.
        clientOptions: { transporterOptions: { fetchImplementation: (url, init) => fetch(atFake(String(url)), init) } },
      },
      httpOptions: { baseUrl: fake.url, retryOptions: { attempts: 1 } },
    });
  };
  const atFake = (url: string) =>
    url.replace(/^https:\/\/(?:oauth2|www)\.googleapis\.com\/.*token$/, `${fake.url}/token`);
  const client = clientWith(fake.key);
  const order = async (words: string, by = client, model = FILMS) =>
    await by.models.generateVideos({
      model,
      source: { prompt: `a fox ${words}` },
      config: { numberOfVideos: 1, aspectRatio: '16:9', durationSeconds: 8, resolution: '1080p', generateAudio: true },
    });
  const ended = async (words: string) => await client.operations.getVideosOperation({ operation: await order(words) });

  const begun = await order('[[run=1]]');
  const running = await client.operations.getVideosOperation({ operation: begun });
  assert.notEqual(running.done, true);
  const { done, response } = await client.operations.getVideosOperation({ operation: begun });
  const bytes = response?.generatedVideos?.[0]?.video?.videoBytes ?? '';
  assert.ok(done === true && Buffer.from(bytes, 'base64').equals(await smallPicture));
  assert.equal(fake.signIns(), 1);
  assert.match((await client.models.get({ model: FILMS })).name ?? '', /models\/veo-3\.1-generate-001$/);

  const imageBytes = (await smallPicture).toString('base64');
  const image = { imageBytes, mimeType: 'image/png' };
  await client.models.generateVideos({
    model: FILMS,
    source: { prompt: 'a fox', image },
    config: { lastFrame: image },
  });
  await client.models.generateVideos({
    model: FILMS,
    source: { prompt: 'a fox' },
    config: { durationSeconds: 8, referenceImages: [{ image, referenceType: VideoGenerationReferenceType.ASSET }] },
  });

  const filtered = await ended('[[end=filtered]]');
  assert.match(String(filtered.response?.raiMediaFilteredReasons), /58061214/);
  assert.match(JSON.stringify((await ended('[[end=words]]')).error), /sensitive words/);

  const generate = (words: string) =>
    client.models.generateContent({
      model: 'gemini-3-pro-image',
      contents: [{ role: 'user', parts: [{ text: `a fox ${words}` }] }],
      config: { responseModalities: ['IMAGE'], imageConfig: { outputMimeType: 'image/png' } },
    });
  const parts = (await generate('')).candidates?.[0]?.content?.parts ?? [];
  const picture = parts.find(({ inlineData }) => inlineData !== undefined)?.inlineData?.data ?? '';
  assert.ok(Buffer.from(picture, 'base64').equals(await smallPicture));
  assert.equal((await generate('[[end=blocked]]')).promptFeedback?.blockReason, 'PROHIBITED_CONTENT');

  const told = (error: unknown) => {
    const { status, response: answer } = error as { readonly status?: number; readonly response?: Response };
    return status ?? answer?.status ?? null;
  };
  await assertRefusals(told, {
    'a wrong account': [() => order('', clientWith('wrong')), 400],
    'another model': [() => order('', client, 'veo-0.1-generate-001'), 404],
    'a look at another model': [() => client.models.get({ model: 'veo-0.1-generate-001' }), 404],
    'a rate limit': [() => order('[[submit=busy]]'), 429],
    'no billing': [() => order('[[submit=billing]]'), 403],
    'a refused prompt': [() => order('[[submit=content]]'), 400],
    'an overload': [() => order('[[submit=unavailable]]'), 503],
  });
});
