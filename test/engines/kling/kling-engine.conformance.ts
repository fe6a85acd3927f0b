import { createKlingEngine } from '@darkroom-service/engines/adapters';
import { openFakeKling } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const shared = {
  looksUp: true,
  openFake: openFakeKling,
  openEngine: (fake, { key, ...tools }) => createKlingEngine({ ...tools, key, url: fake.url }),
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /risk control/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /1301/ },
    'submit=quiet': { status: 'failed', code: 'content_policy', message: /1301/ },
    'submit=arrears': { status: 'failed', code: 'upstream_billing', message: /arrears/ },
    'submit=internal': { status: 'succeeded' },
  },
  references: { inline: 10_000_000, uploads: false, field: 'pictures' },
} satisfies Partial<Parameters<typeof engineConformance>[1]>;

engineConformance('Kling', {
  ...shared,
  routes: [
    {
      engine: 'kling',
      model: 'text-to-video/kling-3.0-turbo',
      when: { image_urls: { present: false } },
      parameters: { prompt: 'prompt', aspect_ratio: { to: 'settings.aspect_ratio', values: { '1:1': '1:1' } } },
      fixed: { 'settings.duration': 5 },
    },
    {
      engine: 'kling',
      model: 'image-to-video/kling-3.0-turbo',
      when: { image_urls: { present: true } },
      parameters: {
        prompt: { to: 'contents[]', shape: { type: 'prompt', text: '$' } },
        image_urls: { to: 'contents[]', shape: { type: 'first_frame', url: '$' } },
      },
    },
  ],
  inputs: [{ fields: {}, input: { settings: { aspect_ratio: '1:1', duration: 5 } } }],
});

engineConformance('Kling by its older interface', {
  ...shared,
  routes: [
    {
      engine: 'kling',
      model: 'images/omni-image/kling-v3-omni',
      parameters: {
        prompt: 'prompt',
        aspect_ratio: 'aspect_ratio',
        image_urls: { to: 'image_list', shape: { image: '$' } },
      },
      fixed: { n: 1 },
    },
  ],
  inputs: [
    { fields: {}, input: { model_name: 'kling-v3-omni', aspect_ratio: '1:1', n: 1 } },
    { fields: { aspect_ratio: '16:9' }, input: { model_name: 'kling-v3-omni', aspect_ratio: '16:9', n: 1 } },
  ],
});
