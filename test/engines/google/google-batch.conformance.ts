import { createGoogleBatchEngine } from '@darkroom-service/engines/adapters';
import { openFakeGoogle } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'gemini-3-pro-image';

engineConformance("Google's Batch API", {
  insideAnswer: true,
  looksUp: true,
  openFake: openFakeGoogle,
  openEngine: (fake, { key, ...tools }) => createGoogleBatchEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'google-batch',
      model,
      parameters: {
        prompt: { to: 'parts[]', shape: { text: '$' } },
        image_urls: { to: 'parts[]', shape: { inlineData: '$' } },
        aspect_ratio: 'generationConfig.imageConfig.aspectRatio',
        seed: 'generationConfig.seed',
      },
      fixed: { 'generationConfig.responseModalities': ['IMAGE'] },
    },
  ],
  inputs: [
    { fields: {}, input: { model, imageConfig: { aspectRatio: '1:1' } } },
    { fields: { aspect_ratio: '16:9', seed: 3 }, input: { model, imageConfig: { aspectRatio: '16:9' }, seed: 3 } },
  ],
  ends: {
    'end=ok queue=1 run=1': { status: 'succeeded' },
    'end=drafts': { status: 'succeeded' },
    'end=words': { status: 'failed', code: 'upstream_error', message: /I cannot draw a person/ },
    'end=blocked': { status: 'failed', code: 'content_policy', message: /PROHIBITED_CONTENT/ },
    'end=safety': { status: 'failed', code: 'content_policy', message: /IMAGE_SAFETY/ },
    'end=expired': { status: 'failed', code: 'timeout', message: /in time/ },
    'end=failed': { status: 'failed', code: 'upstream_error', message: /could not be processed/ },
    'end=unpaid': { status: 'failed', code: 'upstream_billing', message: /Billing/ },
    'end=refused': { status: 'failed', code: 'upstream_error', message: /invalid argument/ },
    'end=empty': { status: 'failed', code: 'upstream_error', message: /no result/ },
    'end=foreign': { status: 'failed', code: 'upstream_error', message: /another order/ },
    'submit=region': { status: 'failed', code: 'upstream_billing', message: /location/ },
  },
  references: { inline: 14_000_000, uploads: false, field: 'pictures' },
});
