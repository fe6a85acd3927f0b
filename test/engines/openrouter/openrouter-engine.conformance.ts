import { createOpenRouterEngine } from '@darkroom-service/engines/adapters';
import { openFakeOpenRouter } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'bytedance-seed/seedream-4.5';

engineConformance('OpenRouter', {
  blocking: true,
  insideAnswer: true,
  openFake: openFakeOpenRouter,
  openEngine: (fake, { key, ...tools }) => createOpenRouterEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'openrouter',
      model,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: 'aspect_ratio',
        image_urls: { to: 'input_references', shape: { type: 'image_url', image_url: { url: '$' } } },
      },
      fixed: { n: 1 },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, n: 1, aspect_ratio: '16:9' } }],
  ends: {
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
    'end=flagged': { status: 'failed', code: 'content_policy', message: /flagged/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /flagged/ },
    'submit=age': { status: 'failed', code: 'upstream_error', message: /age confirmation/ },
    'submit=nobody': { status: 'succeeded' },
    'submit=provider': { status: 'failed', code: 'outcome_unknown', message: /invalid response/ },
  },
  references: { inline: 10_000_000, uploads: false, field: 'pictures' },
});
