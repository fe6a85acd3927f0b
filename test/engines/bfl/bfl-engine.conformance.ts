import { createBflEngine } from '@darkroom-service/engines/adapters';
import { openFakeBfl } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

engineConformance('Black Forest Labs', {
  openFake: openFakeBfl,
  openEngine: (fake, { key, ...tools }) => createBflEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'bfl',
      model: 'flux-3-image',
      parameters: { prompt: 'prompt', aspect_ratio: 'aspect_ratio', image_urls: 'images' },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { aspect_ratio: '16:9' } }],
  ends: {
    'submit=overloaded': { status: 'succeeded' },
    'submit=unseemly': { status: 'failed', code: 'content_policy', message: /Request Moderated/ },
    'end=silent': { status: 'failed', code: 'upstream_error', message: /^bfl: the task failed$/ },
    'end=request': { status: 'failed', code: 'content_policy', message: /Safety/ },
    'end=content': { status: 'failed', code: 'content_policy', message: /moderated/ },
    'end=broken': { status: 'failed', code: 'upstream_error', message: /could not be made/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no file/ },
    'submit=flat': { status: 'failed', code: 'upstream_billing' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 15000000, uploads: false, field: 'images' },
});
