import { createAzureOpenAiEngine } from '@darkroom-service/engines/adapters';
import { AZURE_DEPLOYMENTS, openFakeAzureOpenAi } from '@darkroom-service/engines/fakes';
import type { FakeUpstream, HarnessTools } from '@darkroom-service/engines/fakes/parts';
import { engineConformance } from '../../helpers/engine-conformance.ts';

const model = AZURE_DEPLOYMENTS['gpt-image-2'] ?? '';
const openEngine = (fake: FakeUpstream, tools: HarnessTools & { readonly key: string }) =>
  createAzureOpenAiEngine({
    ...tools,
    url: fake.url,
    apiVersion: '2025-04-01-preview',
    deployments: AZURE_DEPLOYMENTS,
  });

engineConformance('Azure OpenAI', {
  blocking: true,
  openFake: openFakeAzureOpenAi,
  openEngine,
  routes: [
    {
      engine: 'azure-openai',
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
    { fields: {}, input: { model, size: '1024x1024', output_format: 'png' } },
    { fields: { aspect_ratio: '16:9' }, input: { model, size: '1536x864', output_format: 'png' } },
  ],
  ends: {
    'end=ok': { status: 'succeeded' },
    'submit=content': { status: 'failed', code: 'content_policy', message: /safety system/ },
    'submit=policy': { status: 'failed', code: 'content_policy', message: /safety system/ },
    'submit=server': { status: 'failed', code: 'outcome_unknown', message: /had an error/ },
    'end=nothing': { status: 'failed', code: 'upstream_error', message: /made no picture/ },
  },
  references: { inline: 50_000_000, uploads: false, field: 'image' },
});
