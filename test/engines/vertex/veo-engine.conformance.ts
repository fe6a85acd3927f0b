import { createAccessTokens, createVeoEngine } from '@darkroom-service/engines/adapters';
import { openFakeVertex, vertexAccess } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'veo-3.1-generate-001';

engineConformance('Veo', {
  insideAnswer: true,
  openFake: openFakeVertex,
  openEngine(fake, { key, ...tools }) {
    const settings = { ...tools, ...vertexAccess(fake, key) };
    return createVeoEngine(settings, createAccessTokens(settings.account, settings));
  },
  references: { inline: 14_000_000, uploads: false, field: 'pictures' },
  routes: [
    {
      engine: 'vertex',
      model,
      parameters: {
        prompt: 'instances.0.prompt',
        image_urls: { to: 'instances.0.referenceImages', shape: { image: '$', referenceType: 'asset' } },
        aspect_ratio: { to: 'parameters.aspectRatio', values: { '1:1': '16:9', '16:9': '16:9' } },
        seed: 'parameters.seed',
      },
      fixed: { 'parameters.sampleCount': 1, 'parameters.durationSeconds': 8 },
    },
  ],
  inputs: [
    { fields: {}, input: { model, aspectRatio: '16:9', sampleCount: 1, durationSeconds: 8 } },
    { fields: { seed: 3 }, input: { model, aspectRatio: '16:9', sampleCount: 1, durationSeconds: 8, seed: 3 } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=filtered': { status: 'failed', code: 'content_policy', message: /Support codes: 58061214/ },
    'end=empty': { status: 'failed', code: 'content_policy', message: /filtered/ },
    'end=words': { status: 'failed', code: 'content_policy', message: /sensitive words/ },
    'end=failed': { status: 'failed', code: 'upstream_error', message: /internal issue/ },
    'end=busy': { status: 'failed', code: 'upstream_error', message: /unavailable/ },
    'submit=content': { status: 'failed', code: 'content_policy', message: /sensitive words/ },
    'submit=unavailable': { status: 'failed', code: 'outcome_unknown', message: /unavailable/ },
  },
});
