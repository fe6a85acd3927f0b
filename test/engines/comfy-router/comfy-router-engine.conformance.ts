import { createComfyRouterEngine } from '@darkroom-service/engines/adapters';
import { openFakeComfyRouter } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const size = '2048x2048';

engineConformance('Comfy Router', {
  openFake: openFakeComfyRouter,
  openEngine: (fake, { key, ...tools }) => createComfyRouterEngine({ ...tools, key, url: fake.url }),
  looksUp: true,
  routes: [
    {
      engine: 'comfy-router',
      model: 'byteplus/seedream-4-5-251128',
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'size', values: { '1:1': size, '16:9': '2848x1600' } },
        image_urls: 'image',
      },
      fixed: { watermark: false },
    },
  ],
  inputs: [
    { fields: {}, input: { size, watermark: false } },
    { fields: { aspect_ratio: '16:9' }, input: { size: '2848x1600', watermark: false } },
  ],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /refused the prompt/ },
    'end=failed': { status: 'failed', code: 'upstream_error', message: /could not make it/ },
    'end=late': { status: 'failed', code: 'timeout' },
    'end=cancelled': STOPPED,
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=withheld': { status: 'failed', code: 'content_policy', message: /withheld/ },
    'submit=internal': { status: 'succeeded' },
  },
  references: { inline: 7_000_000, uploads: false, field: 'image' },
});
