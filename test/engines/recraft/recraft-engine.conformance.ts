import { createRecraftEngine } from '@darkroom-service/engines/adapters';
import { openFakeRecraft } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'recraftv4_1';

engineConformance('Recraft', {
  blocking: true,
  openFake: openFakeRecraft,
  openEngine: (fake, { key, ...tools }) => createRecraftEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'recraft',
      model: model,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'size', values: { '1:1': '1024x1024', '16:9': '1344x768' } },
      },
      fixed: { n: 1 },
    },
  ],
  inputs: [{ fields: {}, input: { model, n: 1, size: '1024x1024' } }],
  ends: {
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /moderation/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
});
