import { createSeedreamEngine } from '@darkroom-service/engines/adapters';
import { openFakeArk } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'seedream-4-5-251128';
const response_format = 'url';

engineConformance('Seedream', {
  blocking: true,
  openFake: openFakeArk,
  openEngine: (fake, { key, ...tools }) => createSeedreamEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'byteplus',
      model,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'size', values: { '1:1': '2048x2048', '16:9': '2848x1600' } },
        image_urls: 'image',
      },
      fixed: { watermark: false },
    },
  ],
  inputs: [
    { fields: {}, input: { model, response_format, size: '2048x2048', watermark: false } },
    { fields: { aspect_ratio: '16:9' }, input: { model, response_format, size: '2848x1600', watermark: false } },
  ],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'submit=quota': { status: 'failed', code: 'upstream_billing', message: /quota/ },
    'submit=closed': { status: 'failed', code: 'upstream_error', message: /not activated/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /unexpected error/ },
  },
  references: { inline: 10_000_000, uploads: false, field: 'image' },
});
