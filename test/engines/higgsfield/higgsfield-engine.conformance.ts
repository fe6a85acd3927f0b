import { createHiggsfieldEngine } from '@darkroom-service/engines/adapters';
import { openFakeHiggsfield } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const resolution = '1k';

engineConformance('Higgsfield', {
  openFake: openFakeHiggsfield,
  openEngine: (fake, { key, ...tools }) => createHiggsfieldEngine({ ...tools, key, url: fake.url }),
  looksUp: true,
  routes: [
    {
      engine: 'higgsfield',
      model: 'z-image/turbo',
      parameters: { prompt: 'prompt', aspect_ratio: 'aspect_ratio', seed: 'seed' },
      fixed: { resolution },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { aspect_ratio: '16:9', resolution } }],
  ends: {
    'end=nsfw': { status: 'failed', code: 'content_policy', message: /moderation/ },
    'end=failed': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=canceled': STOPPED,
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=internal': { status: 'succeeded' },
  },
});
