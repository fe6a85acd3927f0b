import { createViduEngine } from '@darkroom-service/engines/adapters';
import { openFakeVidu } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'viduq2';
const images = ['https://example.com/a.png'];

engineConformance('Vidu', {
  openFake: openFakeVidu,
  openEngine: (fake, { key, ...tools }) => createViduEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'vidu',
      model: 'reference2video/viduq2',
      parameters: {
        prompt: 'prompt',
        aspect_ratio: 'aspect_ratio',
        image_urls: { to: 'images', unsent: images },
      },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, images, aspect_ratio: '16:9' } }],
  ends: {
    'submit=quota': { status: 'succeeded' },
    'submit=retired': { status: 'failed', code: 'upstream_error', message: /model is unavailable/ },
    'end=content': { status: 'failed', code: 'content_policy', message: /Policy/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /CreationFailed/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /refused/ },
    'submit=overloaded': { status: 'succeeded' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 10000000, uploads: false, field: 'images' },
});
