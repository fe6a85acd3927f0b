import { createGeminiEngine } from '@darkroom-service/engines/adapters';
import { openFakeGoogle } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'gemini-3-pro-image';

engineConformance('Gemini', {
  blocking: true,
  insideAnswer: true,
  withoutResult: [
    { candidates: [], usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 }, responseId: 'r' },
    { candidates: null },
    { usageMetadata: { promptTokenCount: 5 }, modelVersion: 'gemini-3-pro-image' },
    { candidates: [{}], usageMetadata: { promptTokenCount: 5 } },
    { candidates: [{ content: null, finishReason: 'STOP' }] },
  ],
  openFake: openFakeGoogle,
  openEngine: (fake, { key, ...tools }) => createGeminiEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'google',
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
    'end=drafts': { status: 'succeeded' },
    'end=words': { status: 'failed', code: 'upstream_error', message: /I cannot draw a person/ },
    'end=blocked': { status: 'failed', code: 'content_policy', message: /PROHIBITED_CONTENT/ },
    'end=safety': { status: 'failed', code: 'content_policy', message: /IMAGE_SAFETY/ },
    'end=recited': { status: 'failed', code: 'upstream_error', message: /IMAGE_RECITATION/ },
    'submit=region': { status: 'failed', code: 'upstream_billing', message: /location/ },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /internal error/ },
  },
  references: { inline: 14_000_000, uploads: false, field: 'pictures' },
});
