import { createIdeogramEngine } from '@darkroom-service/engines/adapters';
import { openFakeIdeogram } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

engineConformance('Ideogram', {
  blocking: true,
  openFake: openFakeIdeogram,
  openEngine: (fake, { key, ...tools }) => createIdeogramEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'ideogram',
      model: 'ideogram-v4',
      parameters: {
        prompt: 'text_prompt',
        aspect_ratio: { to: 'resolution', values: { '1:1': '2048x2048', '16:9': '2560x1440' } },
      },
      fixed: { rendering_speed: 'TURBO' },
    },
  ],
  inputs: [{ fields: {}, input: { rendering_speed: 'TURBO', resolution: '2048x2048' } }],
  ends: {
    'submit=overloaded': { status: 'succeeded' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
    'end=unsafe': { status: 'failed', code: 'content_policy', message: /withheld by the safety check/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /safety check/ },
    'submit=flat': { status: 'failed', code: 'upstream_billing', message: /credits/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
});
