import { createMinimaxEngine } from '@darkroom-service/engines/adapters';
import { openFakeMinimax } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'MiniMax-H3';

engineConformance('MiniMax', {
  openFake: openFakeMinimax,
  openEngine: (fake, { key, ...tools }) => createMinimaxEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'minimax',
      model: model,
      parameters: {
        prompt: { to: 'content[]', shape: { type: 'text', text: '$' } },
        aspect_ratio: 'ratio',
        image_urls: {
          to: 'content[]',
          shape: { type: 'image_url', image_url: { url: '$' }, role: 'reference_image' },
        },
      },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, ratio: '16:9' } }],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=expired': { status: 'failed', code: 'timeout' },
    'end=cancelled': STOPPED,
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'submit=quietbilling': { status: 'failed', code: 'upstream_billing' },
    'submit=quietcontent': { status: 'failed', code: 'content_policy' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /unknown error/ },
  },
  references: { inline: 10000000, uploads: false, field: 'pictures' },
});
