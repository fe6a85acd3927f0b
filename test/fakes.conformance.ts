import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  openFakeArk,
  openFakeGoogle,
  openFakeKling,
  openFakeOpenAi,
  openFakeXai,
} from '@darkroom-service/engines/fakes';
import type { FakeUpstream } from '@darkroom-service/engines/fakes/parts';
import sharp from 'sharp';

/**
 * What a fake takes, its upstream takes: so it must refuse what the upstream is known to refuse. fal's has a test
 * beside its engine.
 */

type Refusal = readonly [path: string, body: object | FormData, status: number, words: RegExp];

const prompt = 'a fox';
const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#357' } })
  .webp()
  .toBuffer();
const webp = picture.toString('base64');
const png = (await sharp(picture).png().toBuffer()).toString('base64');
const address = 'https://example.com/a.png';

function form(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, readonly [string, Buffer]>>) {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  for (const [name, [type, bytes]] of Object.entries(files)) {
    made.append(name, new Blob([new Uint8Array(bytes)], { type }), name);
  }
  return made;
}

async function refuses(
  t: Parameters<NonNullable<Parameters<typeof test>[0]>>[0],
  fake: FakeUpstream,
  headers: Readonly<Record<string, string>>,
  refusals: readonly Refusal[],
): Promise<void> {
  t.after(() => fake.stop());
  for (const [path, body, status, words] of refusals) {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${fake.url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, status, `${path} ${words}: ${text}`);
    assert.match(text, words);
  }
  assert.equal(fake.jobs.size, 0);
}

test('the fake of OpenAI refuses what OpenAI would refuse', async (t) => {
  const fake = await openFakeOpenAi();
  const made = { model: 'gpt-image-2', prompt };
  const generations = '/images/generations';
  const fields = { model: 'gpt-image-2', prompt };
  const image = ['image/webp', picture] as const;
  const flat = await sharp(picture).png().toBuffer();
  const small = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  await refuses(t, fake, { authorization: `Bearer ${fake.key}` }, [
    [generations, { prompt, model: 'gpt-image-1' }, 404, /does not exist/],
    [generations, { prompt, model: 'dall-e-3' }, 404, /does not exist/],
    [generations, { ...made, n: 11 }, 400, /from 1 to 10/],
    [generations, { ...made, response_format: 'url' }, 400, /not permitted/],
    [generations, { ...made, size: '512x512' }, 400, /Invalid size/],
    [generations, { ...made, size: '3840x3840' }, 400, /Invalid size/],
    [generations, { ...made, size: '1000x1000' }, 400, /Invalid size/],
    [generations, { ...made, output_compression: 50 }, 400, /Needs jpeg or webp/],
    [generations, { ...made, background: 'transparent', output_format: 'jpeg' }, 400, /Transparency/],
    [generations, { ...made, quality: 'max' }, 400, /be one of/],
    [generations, { ...made, prompt: 'a'.repeat(32_001) }, 400, /32000/],
    ['/images/edits', form(fields, { 'image[]': ['image/gif', picture] }), 400, /png, jpeg or webp/],
    ['/images/edits', form(fields, { image, mask: ['image/png', flat] }), 400, /alpha channel/],
    ['/images/edits', form(fields, { image, mask: ['image/png', small] }), 400, /size of the first image/],
    ['/images/variations', form(fields, { image }), 404, /Invalid URL/],
  ]);
});

test('the fake of Google refuses what Google would refuse', async (t) => {
  const fake = await openFakeGoogle();
  const content = (model: string, config: object, parts: object[] = [{ text: prompt }]): [string, object] => [
    `/models/${model}:generateContent`,
    {
      contents: [{ role: 'user', parts }],
      generationConfig: { responseModalities: ['IMAGE'], ...config },
    },
  ];
  const omni = (more: object, format: object = {}): object => ({
    model: 'gemini-omni-1.1-flash',
    background: true,
    response_modalities: ['video'],
    input: [{ type: 'user_input', content: [{ type: 'text', text: prompt }] }],
    response_format: { type: 'video', ...format },
    ...more,
  });
  await refuses(t, fake, { 'x-goog-api-key': fake.key }, [
    ['/models/imagen-4.0-generate-001:predict', {}, 404, /NOT_FOUND/],
    [...content('gemini-3-pro-image', { imageConfig: { imageSize: '1k' } }), 400, /be one of/],
    [...content('gemini-3-pro-image', { imageConfig: { imageSize: '512' } }), 400, /be one of/],
    [...content('gemini-nano-banana-2.1', { imageConfig: { aspectRatio: '1:8' } }), 400, /be one of/],
    [...content('gemini-3.1-flash-lite-image', { imageConfig: { imageSize: '2K' } }), 400, /be one of/],
    [...content('gemini-3-pro-image', { seed: 2 ** 31 }), 400, /out of range/],
    [...content('gemini-3-pro-image', {}, [{ inlineData: { data: png } }]), 400, /cannot be read/],
    ['/models/veo-3.1-generate-preview:predictLongRunning', {}, 404, /NOT_FOUND/],
    ['/interactions', omni({}, { resolution: '480p' }), 400, /be one of/],
    ['/interactions', omni({ generation_config: { seed: 1 } }), 400, /generation_config/],
    ['/interactions', omni({}, { duration: '11s' }), 400, /3s to 10s/],
    ['/interactions', omni({}, { duration: 8 }), 400, /duration/],
    ['/interactions', omni({ seed: 1 }), 400, /Unknown name/],
  ]);
});

test('the fake of ByteDance refuses what ByteDance would refuse', async (t) => {
  const fake = await openFakeArk();
  const pictures = '/images/generations';
  const tasks = '/contents/generations/tasks';
  const text = { type: 'text', text: prompt };
  const item = (kind: string, role: string) => ({ type: kind, [kind]: { url: address }, role });
  const pro = { model: 'dola-seedream-5-0-pro-260628', prompt };
  const two = { model: 'dreamina-seedance-2-0-260128', content: [text] };
  const frame = item('image_url', 'first_frame');
  await refuses(t, fake, { authorization: `Bearer ${fake.key}` }, [
    [pictures, { ...pro, size: '2560x2560' }, 400, /too many pixels/],
    [pictures, { ...pro, image: Array(11).fill(address) }, 400, /too many pictures/],
    [pictures, { ...pro, model: 'seedream-4-5-251128', size: '1024x1024' }, 400, /too few pixels/],
    [pictures, { ...pro, model: 'seedream-4-5-251128', output_format: 'png' }, 400, /not permitted/],
    [tasks, { ...two, seed: 1 }, 400, /not permitted/],
    [tasks, { ...two, service_tier: 'flex' }, 400, /not permitted/],
    [tasks, { ...two, duration: 16 }, 400, /4 to 15/],
    [tasks, { ...two, model: 'dreamina-seedance-2-5-260628', resolution: '4k' }, 400, /resolution/],
    [tasks, { ...two, model: 'dreamina-seedance-2-0-fast-260128', resolution: '1080p' }, 400, /resolution/],
    [tasks, { ...two, content: [text, item('image_url', 'last_frame')] }, 400, /needs a first one/],
    [tasks, { ...two, content: [frame, item('image_url', 'reference_image')] }, 400, /cannot be combined/],
    [tasks, { ...two, content: [text, item('audio_url', 'reference_audio')] }, 400, /only reference/],
    [tasks, { ...two, content: Array(10).fill(item('image_url', 'reference_image')) }, 400, /too many references/],
  ]);
});

test('the fake of Kling refuses what Kling would refuse', async (t) => {
  const fake = await openFakeKling();
  const frame = (url: string) => ({ contents: [{ type: 'first_frame', url }] });
  const old = { model_name: 'kling-v3', prompt };
  await refuses(t, fake, { authorization: `Bearer ${fake.key}` }, [
    ['/text-to-video/kling-1.6', { prompt }, 404, /1203/],
    ['/text-to-video/kling-3.0-turbo', { prompt: 'a'.repeat(3073) }, 400, /3072/],
    ['/text-to-video/kling-3.0-turbo', { prompt, settings: { duration: '5' } }, 400, /duration/],
    ['/text-to-video/kling-3.0-turbo', { prompt, settings: { resolution: '4k' } }, 400, /resolution/],
    ['/text-to-video/kling-3.0-turbo', { prompt, settings: { audio: 'off' } }, 400, /audio/],
    ['/text-to-video/kling-2.6', { prompt, settings: { duration: 7 } }, 400, /5 or 10/],
    ['/image-to-video/kling-3.0-turbo', frame(webp), 400, /cannot be used/],
    ['/image-to-video/kling-3.0-turbo', frame(`data:image/png;base64,${png}`), 400, /cannot be used/],
    ['/image-to-video/kling-3.0-turbo', { contents: [{ type: 'last_frame', url: png }] }, 400, /first_frame/],
    ['/v1/videos/text2video', { ...old, duration: 5 }, 400, /duration/],
    ['/v1/videos/image2video', { ...old, image: webp }, 400, /format is not supported/],
    ['/v1/images/generations', { ...old, prompt: 'a'.repeat(2501) }, 400, /2500/],
  ]);
});

test('the fake of xAI refuses what xAI would refuse', async (t) => {
  const fake = await openFakeXai();
  const films = '/videos/generations';
  const newer = { model: 'grok-imagine-video-1.5', prompt };
  const older = { model: 'grok-imagine-video', prompt };
  const references = [{ url: address }];
  await refuses(t, fake, { authorization: `Bearer ${fake.key}` }, [
    ['/images/generations', { model: 'grok-imagine-image', prompt, quality: 'low' }, 422, /quality/],
    ['/images/generations', { model: 'grok-imagine-image-2.0', prompt, n: 11 }, 422, /from 1 to 10/],
    ['/images/edits', { model: 'grok-imagine-image-2.0', prompt, image: { url: address } }, 422, /type/],
    [films, { ...older, resolution: '1080p' }, 422, /resolution/],
    [films, { ...older, reference_audios: [{ voice_id: 'a' }] }, 422, /reference_audios/],
    [films, { ...newer, reference_images: references, resolution: '1080p' }, 422, /resolution/],
    [films, { ...newer, reference_images: references, image: { url: address } }, 422, /cannot be combined/],
    [films, { ...newer, duration: 16 }, 422, /duration/],
  ]);
});
