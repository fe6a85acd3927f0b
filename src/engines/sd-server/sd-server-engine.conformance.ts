import { engineConformance } from '../../../test/engine-conformance.ts';
import { openFakeSdServer } from '../../../test/fakes/sd-server.ts';
import { createSdServerEngine } from './sd-server-engine.ts';

engineConformance('sd-server', {
  openFake: openFakeSdServer,
  openEngine: (fake, { key, ...tools }) =>
    createSdServerEngine({ ...tools, url: fake.url, authorization: `Bearer ${key}`, atOnce: 50 }),
  insideAnswer: true,
  routes: [
    {
      engine: 'sd-server',
      model: 'img_gen',
      parameters: {
        prompt: 'prompt',
        seed: 'seed',
        width: 'width',
        height: 'height',
        image_urls: { to: 'init_image', take: 'first' },
      },
      fixed: { output_format: 'png' },
    },
  ],
  inputs: [
    { fields: { seed: 7 }, input: { width: 512, height: 512, seed: 7 } },
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { width: 672, height: 384, seed: 3 } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'end=generation_failed': { status: 'failed', code: 'upstream_error', message: /no results/ },
    'end=cancelled': { status: 'canceled' },
  },
  references: { inline: 64 * 1024 * 1024, uploads: false, field: 'init_image' },
});
