import { createDashscopeFilmsEngine } from '@darkroom-service/engines/adapters';
import { openFakeDashscope } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'wan3.0-video';

engineConformance("DashScope's films", {
  openFake: openFakeDashscope,
  openEngine: (fake, { key, ...tools }) => createDashscopeFilmsEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'dashscope',
      model: model,
      parameters: {
        prompt: 'input.prompt',
        aspect_ratio: 'parameters.ratio',
        image_urls: { to: 'input.media', shape: { type: 'reference_image', url: '$' } },
      },
      fixed: { 'parameters.resolution': '720P' },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, parameters: { resolution: '720P', ratio: '16:9' } } }],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /inappropriate/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=cancelled': STOPPED,
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy' },
    'submit=denied': { status: 'failed', code: 'upstream_error' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 10000000, uploads: false, field: 'pictures' },
});
