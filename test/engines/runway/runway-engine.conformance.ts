import { createRunwayEngine } from '@darkroom-service/engines/adapters';
import { openFakeRunway } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'gen4_turbo';
const promptImage = 'https://example.com/a.png';

engineConformance('Runway', {
  openFake: openFakeRunway,
  openEngine: (fake, { key, ...tools }) => createRunwayEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'runway',
      model: 'image_to_video/gen4_turbo',
      parameters: {
        prompt: 'promptText',
        aspect_ratio: { to: 'ratio', values: { '1:1': '960:960', '16:9': '1280:720' } },
        image_urls: { to: 'promptImage', take: 'first', unsent: promptImage },
        seed: 'seed',
      },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, promptImage, ratio: '1280:720' } }],
  ends: {
    'submit=shed': { status: 'succeeded' },
    'submit=overloaded': { status: 'succeeded' },
    'end=content': { status: 'failed', code: 'content_policy', message: /safety/ },
    'end=asset': { status: 'failed', code: 'invalid_input', message: /cannot be used/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 3700000, uploads: false, field: 'promptImage' },
});
