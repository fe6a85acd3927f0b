import { createXaiFilmsEngine } from '@darkroom-service/engines/adapters';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'grok-imagine-video-1.5';

engineConformance("xAI's films", {
  openFake: openFakeXai,
  openEngine: (fake, { key, ...tools }) => createXaiFilmsEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'xai',
      model,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: 'aspect_ratio',
        image_urls: { to: 'reference_images', shape: { url: '$' } },
      },
      fixed: { duration: 6 },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, aspect_ratio: '16:9', duration: 6 } }],
  ends: {
    'end=bare': { status: 'succeeded' },
    'end=withheld': { status: 'failed', code: 'content_policy', message: /withheld/ },
    'end=moderated': { status: 'failed', code: 'content_policy', message: /moderation/ },
    'end=failed': { status: 'failed', code: 'upstream_error', message: /broke/ },
    'end=expired': { status: 'failed', code: 'timeout' },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /no film/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /moderation/ },
    'submit=overloaded': { status: 'succeeded' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 10_000_000, uploads: false, field: 'pictures' },
});
