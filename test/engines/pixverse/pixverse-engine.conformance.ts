import { createPixverseEngine } from '@darkroom-service/engines/adapters';
import { openFakePixverse } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const fixed = { duration: 5, quality: '720p' };

engineConformance('PixVerse', {
  openFake: openFakePixverse,
  openEngine: (fake, { key, ...tools }) => createPixverseEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'pixverse',
      model: 'text/v6',
      when: { image_urls: { present: false } },
      parameters: { prompt: 'prompt', aspect_ratio: 'aspect_ratio', seed: 'seed' },
      fixed,
    },
    {
      engine: 'pixverse',
      model: 'img/v6',
      parameters: { prompt: 'prompt', image_urls: { to: 'img_id', take: 'first' }, seed: 'seed' },
      covers: ['aspect_ratio'],
      fixed,
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model: 'v6', aspect_ratio: '16:9', ...fixed } }],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /refused/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /not made/ },
    'end=deleted': { status: 'failed', code: 'upstream_error' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /blocked/ },
    'submit=internal': { status: 'failed', code: 'upstream_error', message: /Internal error/ },
  },
  references: { inline: 0, uploads: true, field: 'images' },
});
