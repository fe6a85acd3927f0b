import { createLtxEngine } from '@darkroom-service/engines/adapters';
import { openFakeLtx } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'ltx-2-5-fast';
const image_uri = 'https://example.com/a.png';

engineConformance('LTX', {
  openFake: openFakeLtx,
  openEngine: (fake, { key, ...tools }) => createLtxEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'ltx',
      model: 'image-to-video/ltx-2-5-fast',
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'resolution', values: { '1:1': '1280x720', '16:9': '1920x1080' } },
        image_urls: { to: 'image_uri', take: 'first', unsent: image_uri },
      },
      fixed: { duration: 6 },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, image_uri, duration: 6, resolution: '1920x1080' } }],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /refused/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 7000000, uploads: false, field: 'image_uri' },
});
