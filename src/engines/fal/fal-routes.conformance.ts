import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeFal } from '../../../test/fakes/fal.ts';
import { falInputs } from '../../../test/fakes/fal-inputs.ts';
import { createFalEngine } from './fal-engine.ts';

/** What is wrong with each, by endpoint: the last item names where and how. */
const REFUSED: readonly (readonly [string, Readonly<Record<string, unknown>>, string, string])[] = [
  ['fal-ai/veo3.1', { prompt: 'a', image_url: 'https://example.com/a.png' }, 'image_url', 'extra_forbidden'],
  ['fal-ai/veo3.1', { duration: '8s' }, 'prompt', 'missing'],
  ['fal-ai/veo3.1', { prompt: 'a', duration: 8 }, 'duration', 'type_error'],
  ['fal-ai/veo3.1', { prompt: 'a', duration: '5s' }, 'duration', 'one_of'],
  ['fal-ai/veo3.1', { prompt: 'a', seed: 1.5 }, 'seed', 'type_error'],
  ['fal-ai/nano-banana-pro/edit', { prompt: 'a', image_urls: ['a.png'] }, 'image_urls', 'type_error'],
  ['openai/gpt-image-2', { prompt: 'a', image_size: { width: 1000, height: 1000 } }, 'image_size', 'one_of'],
  ['openai/gpt-image-2', { prompt: 'a', image_size: { width: 1024 } }, 'image_size', 'type_error'],
  ['openai/gpt-image-2', { prompt: 'a', image_size: 'huge' }, 'image_size', 'one_of'],
  ['fal-ai/wan/v2.7/pro/text-to-image', { prompt: 'a', num_images: 6 }, 'num_images', 'one_of'],
  ['krea/v2/large/text-to-image', { prompt: 'a', styles: [{ strength: 1 }] }, 'styles.0.id', 'missing'],
];

test('the fake of fal refuses what fal would refuse, and says it as fal does', async (t) => {
  const fake = await openFakeFal(falInputs());
  t.after(() => fake.stop());
  for (const [endpoint, input, place, type] of REFUSED) {
    const answer = await fetch(`${fake.url}/${endpoint}`, {
      method: 'POST',
      headers: { authorization: `Key ${fake.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const { detail } = (await answer.json()) as { detail: readonly { loc: readonly string[]; type: string }[] };
    const told = { status: answer.status, faults: detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`) };
    assert.deepEqual(told, { status: 422, faults: [`body.${place}: ${type}`] }, JSON.stringify(input));
  }
});

const NOT_WRITTEN = 'the map is not written yet';

await shippedRoutes('fal', {
  openFake: () => openFakeFal(falInputs()),
  openEngine: (fake, tools) => createFalEngine({ ...tools, url: fake.url }),
  unsaid: {
    'ideogram/v4': NOT_WRITTEN,
    'ideogram/v4/image-to-image': NOT_WRITTEN,
    'kling/v4/text-to-video': NOT_WRITTEN,
    'kling/v4/image-to-video': NOT_WRITTEN,
    'kling/v4/reference-to-video': NOT_WRITTEN,
    'kling/v4/video-to-video/edit': NOT_WRITTEN,
    'fal-ai/kling-video/v3/standard/text-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/standard/image-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/pro/text-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/pro/image-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/4k/text-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/4k/image-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/turbo/standard/text-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/turbo/standard/image-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/turbo/pro/text-to-video': NOT_WRITTEN,
    'fal-ai/kling-video/v3/turbo/pro/image-to-video': NOT_WRITTEN,
    'krea/v2/large/text-to-image': NOT_WRITTEN,
    'krea/v2/medium/text-to-image': NOT_WRITTEN,
    'krea/v2/medium/turbo/text-to-image': NOT_WRITTEN,
    'lightricks/ltx-2.5/text-to-video/fast': NOT_WRITTEN,
    'lightricks/ltx-2.5/image-to-video/fast': NOT_WRITTEN,
    'lightricks/ltx-2.5/text-to-video/pro': NOT_WRITTEN,
    'lightricks/ltx-2.5/image-to-video/pro': NOT_WRITTEN,
    'luma/agent/uni-1/v1/text-to-image': NOT_WRITTEN,
    'luma/agent/uni-1/v1/edit': NOT_WRITTEN,
    'luma/agent/uni-1/v1/max': NOT_WRITTEN,
    'luma/agent/uni-1/v1/max/edit': NOT_WRITTEN,
    'luma/agent/ray/v3.2/text-to-video': NOT_WRITTEN,
    'luma/agent/ray/v3.2/image-to-video': NOT_WRITTEN,
    'minimax/h3/text-to-video': NOT_WRITTEN,
    'minimax/h3/image-to-video': NOT_WRITTEN,
    'minimax/h3/reference-to-video': NOT_WRITTEN,
    'openai/gpt-image-2': NOT_WRITTEN,
    'openai/gpt-image-2/edit': NOT_WRITTEN,
    'fal-ai/pixverse/v6/text-to-video': NOT_WRITTEN,
    'fal-ai/pixverse/v6/image-to-video': NOT_WRITTEN,
    'fal-ai/pixverse/v6/transition': NOT_WRITTEN,
    'fal-ai/recraft/v4.1/text-to-image': NOT_WRITTEN,
    'fal-ai/recraft/v4.1/pro/text-to-image': NOT_WRITTEN,
    'fal-ai/vidu/q3/text-to-video': NOT_WRITTEN,
    'fal-ai/vidu/q3/image-to-video': NOT_WRITTEN,
    'fal-ai/vidu/q3/reference-to-video/mix': NOT_WRITTEN,
    'fal-ai/vidu/q3/text-to-video/turbo': NOT_WRITTEN,
    'xai/grok-imagine-video/v1.5/image-to-video': NOT_WRITTEN,
  },
});
