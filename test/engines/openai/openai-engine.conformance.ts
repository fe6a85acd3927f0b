import { createOpenAiEngine } from '@darkroom-service/engines/adapters';
import { openFakeOpenAi } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

engineConformance('OpenAI', {
  blocking: true,
  openFake: openFakeOpenAi,
  openEngine: (fake, { key, ...tools }) => createOpenAiEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'openai',
      model: 'gpt-image-2',
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'size', values: { '1:1': '1024x1024', '16:9': '1536x864' } },
        image_urls: 'image',
      },
      covers: ['seed'],
      fixed: { output_format: 'png' },
    },
  ],
  inputs: [
    { fields: {}, input: { model: 'gpt-image-2', size: '1024x1024', output_format: 'png' } },
    { fields: { aspect_ratio: '16:9' }, input: { model: 'gpt-image-2', size: '1536x864', output_format: 'png' } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'end=revised': { status: 'succeeded' },
    'end=path file=png': { status: 'succeeded' },
    'submit=content': { status: 'failed', code: 'content_policy', message: /safety system/ },
    'submit=limit': { status: 'failed', code: 'upstream_billing', message: /hard limit/ },
    'submit=server': { status: 'failed', code: 'outcome_unknown', message: /had an error/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
  },
  references: { inline: 50_000_000, uploads: false, field: 'image' },
});
