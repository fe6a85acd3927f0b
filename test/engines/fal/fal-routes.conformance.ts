import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFalEngine } from '@darkroom-service/engines/adapters';
import { falInputs, openFakeFal } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

/** The fault of each request, by endpoint: the last items name the field and the type. */
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
  for (const [endpoint, input, field, type] of REFUSED) {
    const answer = await fetch(`${fake.url}/${endpoint}`, {
      method: 'POST',
      headers: { authorization: `Key ${fake.key}`, 'content-type': 'application/json', 'x-fal-no-retry': '1' },
      body: JSON.stringify(input),
    });
    const { detail } = (await answer.json()) as { detail: readonly { loc: readonly string[]; type: string }[] };
    const told = { status: answer.status, faults: detail.map(({ loc, type }) => `${loc.join('.')}: ${type}`) };
    assert.deepEqual(told, { status: 422, faults: [`body.${field}: ${type}`] }, JSON.stringify(input));
  }
});

await shippedRoutes('fal', {
  openFake: () => openFakeFal(falInputs()),
  openEngine: (fake, tools) => createFalEngine({ ...tools, url: fake.url }),
});
