import { createLumaEngine } from '@darkroom-service/engines/adapters';
import { openFakeLuma } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'uni-1';

engineConformance('Luma', {
  openFake: openFakeLuma,
  openEngine: (fake, { key, ...tools }) => createLumaEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'luma',
      model: model,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: 'aspect_ratio',
        image_urls: { to: 'source', take: 'first', shape: { url: '$' } },
      },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, aspect_ratio: '16:9' } }],
  ends: {
    'submit=overloaded': { status: 'succeeded' },
    'end=content': { status: 'failed', code: 'content_policy', message: /content/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /broken/ },
    'end=budget': { status: 'failed', code: 'upstream_billing' },
    'end=size': { status: 'failed', code: 'invalid_input', message: /size/ },
    'end=type': { status: 'failed', code: 'invalid_input' },
    'end=corrupt': { status: 'failed', code: 'invalid_input' },
    'end=order': { status: 'failed', code: 'invalid_input' },
    'end=rate': { status: 'failed', code: 'upstream_error', message: /rate/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 8000000, uploads: false, field: 'source' },
});
