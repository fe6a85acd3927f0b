import { createXaiPicturesEngine } from '@darkroom-service/engines/adapters';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'grok-imagine-image';
const response_format = 'url';

engineConformance("xAI's pictures", {
  blocking: true,
  openFake: openFakeXai,
  openEngine: (fake, { key, ...tools }) => createXaiPicturesEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'xai',
      model,
      parameters: {
        prompt: 'prompt',
        aspect_ratio: 'aspect_ratio',
        image_urls: { to: 'images', shape: { url: '$', type: 'image_url' } },
      },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, response_format, aspect_ratio: '16:9' } }],
  ends: {
    'end=withheld': { status: 'failed', code: 'content_policy', message: /withheld/ },
    'end=nothing': { status: 'failed', code: 'content_policy', message: /made no picture/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /moderation/ },
    'submit=overloaded': { status: 'succeeded' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 10_000_000, uploads: false, field: 'pictures' },
});
