import { createFalEngine } from '@darkroom-service/engines/adapters';
import { openFakeFal } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const INPUT = {
  prompt: { type: 'string', required: true },
  image_size: { type: 'string', enum: ['square_hd', 'landscape_16_9'] },
  seed: { type: 'integer' },
  image_urls: { type: 'urls' },
} as const;

engineConformance('fal', {
  openFake: () =>
    openFakeFal({
      'fal-ai/fox/v2/text-to-image': INPUT,
      'fal-ai/fox/v2/edit': { ...INPUT, image_urls: { type: 'urls', required: true } },
    }),
  openEngine: (fake, { key, ...tools }) => createFalEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'fal',
      model: 'fal-ai/fox/v2/text-to-image',
      when: { image_urls: { present: false } },
      parameters: {
        prompt: 'prompt',
        seed: 'seed',
        aspect_ratio: { to: 'image_size', values: { '1:1': 'square_hd', '16:9': 'landscape_16_9' } },
      },
    },
    {
      engine: 'fal',
      model: 'fal-ai/fox/v2/edit',
      when: { image_urls: { present: true } },
      parameters: { prompt: 'prompt', seed: 'seed', image_urls: 'image_urls' },
      covers: ['aspect_ratio'],
    },
  ],
  inputs: [
    { fields: {}, input: { image_size: 'square_hd' } },
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { image_size: 'landscape_16_9', seed: 3 } },
  ],
  ends: {
    'end=single': { status: 'succeeded' },
    'end=film': { status: 'succeeded' },
    'end=elsewhere': { status: 'succeeded' },
    'end=content': { status: 'failed', code: 'content_policy', message: /flagged by a content checker/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /flagged/ },
    'end=nsfw': { status: 'failed', code: 'content_policy' },
    'end=badimage': { status: 'failed', code: 'invalid_input', message: /image_url: Could not load the image/ },
    'end=text': { status: 'failed', code: 'invalid_input', message: /beyond me/ },
    'end=crashed': { status: 'failed', code: 'upstream_error', message: /Internal server error/ },
    'end=slow': { status: 'failed', code: 'timeout' },
    'end=startup': { status: 'failed', code: 'timeout' },
    'end=runner': { status: 'failed', code: 'upstream_error', message: /Runner disconnected/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
  },
  references: { inline: 8 * 1024 * 1024, uploads: true, field: 'image_urls' },
});
