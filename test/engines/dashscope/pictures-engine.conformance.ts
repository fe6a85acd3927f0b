import { createDashscopePicturesEngine } from '@darkroom-service/engines/adapters';
import { openFakeDashscope } from '@darkroom-service/engines/fakes';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = 'qwen-image-3.0';

engineConformance("DashScope's pictures", {
  blocking: true,
  withoutResult: [
    { output: { choices: [] }, usage: { image_count: 0 } },
    { output: { choices: null } },
    { output: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: [] } }] } },
    { output: { choices: [{ message: { content: [{ image: null }] } }] } },
  ],
  openFake: openFakeDashscope,
  openEngine: (fake, { key, ...tools }) => createDashscopePicturesEngine({ ...tools, key, url: fake.url }),
  routes: [
    {
      engine: 'dashscope',
      model: model,
      parameters: {
        image_urls: { to: 'input.messages.0.content[]', shape: { image: '$' } },
        prompt: { to: 'input.messages.0.content[]', shape: { text: '$' } },
        aspect_ratio: { to: 'parameters.size', values: { '1:1': '1024*1024', '16:9': '1664*928' } },
      },
      fixed: { 'input.messages.0.role': 'user' },
    },
  ],
  inputs: [{ fields: { aspect_ratio: '16:9' }, input: { model, parameters: { size: '1664*928' } } }],
  ends: {
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /it made nothing: No/ },
    'submit=content': { status: 'failed', code: 'content_policy' },
    'submit=denied': { status: 'failed', code: 'upstream_error' },
    'submit=internal': { status: 'failed', code: 'outcome_unknown', message: /Internal error/ },
  },
  references: { inline: 10000000, uploads: false, field: 'pictures' },
});
