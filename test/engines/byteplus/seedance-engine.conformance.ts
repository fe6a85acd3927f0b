import { createSeedanceEngine } from '@darkroom-service/engines/adapters';
import { openFakeArk } from '@darkroom-service/engines/fakes';
import { STOPPED } from '../../helpers/conformance-bench.ts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'dreamina-seedance-2-0-260128';

engineConformance('Seedance', {
  openFake: openFakeArk,
  openEngine: (fake, { key, ...tools }) => createSeedanceEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'byteplus',
      model,
      parameters: {
        prompt: { to: 'content[]', shape: { type: 'text', text: '$' } },
        image_urls: {
          to: 'content[]',
          shape: { type: 'image_url', image_url: { url: '$' }, role: 'reference_image' },
        },
        aspect_ratio: 'ratio',
      },
      covers: ['seed'],
    },
  ],
  inputs: [
    { fields: {}, input: { model, ratio: '1:1' } },
    { fields: { aspect_ratio: '16:9' }, input: { model, ratio: '16:9' } },
  ],
  ends: {
    'end=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=expired': { status: 'failed', code: 'timeout' },
    'end=cancelled': STOPPED,
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /sensitive/ },
    'submit=quota': { status: 'failed', code: 'upstream_billing', message: /quota/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /unexpected error/ },
  },
  references: { inline: 10_000_000, uploads: false, field: 'pictures' },
});
