import { createHeygenEngine } from '@darkroom-service/engines/adapters';
import { openFakeHeygen } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'heygen-video-1';
const mode = 'image_to_video';
const image = 'https://example.com/a.png';

engineConformance('HeyGen', {
  openFake: openFakeHeygen,
  openEngine: (fake, { key, ...tools }) => createHeygenEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'heygen',
      model: `${mode}/${model}`,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'resolution', values: { '1:1': '480p', '16:9': '768p' } },
        image_urls: { to: 'image', take: 'first', unsent: image },
      },
      fixed: { duration: 6 },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, mode, image, duration: 6, resolution: '768p' } }],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /refused/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=cancelled': STOPPED,
    'submit=content': { status: 'failed', code: 'content_policy' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 7000000, uploads: false, field: 'image' },
});
