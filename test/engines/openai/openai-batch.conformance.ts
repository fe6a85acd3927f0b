import { createOpenAiBatchEngine } from '@darkroom-service/engines/adapters';
import { openFakeOpenAi } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

engineConformance("OpenAI's Batch API", {
  insideAnswer: true,
  looksUp: true,
  openFake: openFakeOpenAi,
  openEngine: (fake, { key, ...tools }) => createOpenAiBatchEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'openai-batch',
      model: 'gpt-image-2',
      parameters: {
        prompt: 'prompt',
        aspect_ratio: { to: 'size', values: { '1:1': '1024x1024', '16:9': '1536x864' } },
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
    'end=ok queue=1 run=1': { status: 'succeeded' },
    'end=content': { status: 'failed', code: 'content_policy', message: /safety system/ },
    'end=server': { status: 'failed', code: 'upstream_error', message: /had an error/ },
    'end=expired': { status: 'failed', code: 'timeout', message: /completion window/ },
    'end=silence': { status: 'failed', code: 'timeout', message: /24 hours/ },
    'end=invalid': { status: 'failed', code: 'upstream_error', message: /not parseable/ },
    'end=full': { status: 'failed', code: 'upstream_error', message: /Enqueued token limit/ },
    'end=unpaid': { status: 'failed', code: 'upstream_billing', message: /hard limit/ },
    'end=empty': { status: 'failed', code: 'upstream_error', message: /no result/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
    'end=foreign': { status: 'failed', code: 'upstream_error', message: /another order/ },
    'submit=limit': { status: 'failed', code: 'upstream_billing', message: /hard limit/ },
  },
});
