import {
  AZURE_DEPLOYMENTS,
  openFakeArk,
  openFakeAzureOpenAi,
  openFakeComfyRouter,
  openFakeHiggsfield,
  openFakeOpenAi,
  openFakePixverse,
  openFakeXai,
} from '@darkroom-service/engines/fakes';
import { engineKills, type KillHarness } from './engine-kills.ts';

const parameters = { prompt: 'prompt' };
const covers = ['aspect_ratio'];

engineKills('OpenAI', {
  blocking: true,
  openFake: openFakeOpenAi,
  routes: [{ engine: 'openai', model: 'gpt-image-2', parameters, covers }],
  variables: (fake) => ({ OPENAI_API_KEY: fake.key, DARKROOM_OPENAI_URL: fake.url }),
});

engineKills('Azure OpenAI', {
  blocking: true,
  openFake: openFakeAzureOpenAi,
  routes: [{ engine: 'azure-openai', model: 'gpt-image-2', parameters, covers }],
  variables: (fake) => ({
    AZURE_OPENAI_API_KEY: fake.key,
    DARKROOM_AZURE_OPENAI_URL: fake.url,
    DARKROOM_AZURE_OPENAI_DEPLOYMENTS: `gpt-image-2=${AZURE_DEPLOYMENTS['gpt-image-2']}`,
  }),
});

const byteplus = {
  openFake: openFakeArk,
  variables: (fake) => ({ ARK_API_KEY: fake.key, DARKROOM_BYTEPLUS_URL: fake.url }),
} satisfies Partial<KillHarness>;

engineKills('Seedream', {
  ...byteplus,
  blocking: true,
  routes: [{ engine: 'byteplus', model: 'seedream-4-5-251128', parameters, covers }],
});

engineKills('Seedance', {
  ...byteplus,
  type: 'video',
  routes: [
    {
      engine: 'byteplus',
      model: 'dreamina-seedance-2-0-260128',
      parameters: { prompt: { to: 'content[]', shape: { type: 'text', text: '$' } } },
      covers,
    },
  ],
});

const xai = {
  openFake: openFakeXai,
  variables: (fake) => ({ XAI_API_KEY: fake.key, DARKROOM_XAI_URL: fake.url }),
} satisfies Partial<KillHarness>;

engineKills('Grok Imagine’s pictures', {
  ...xai,
  blocking: true,
  routes: [{ engine: 'xai', model: 'grok-imagine-image', parameters, covers }],
});

engineKills('Grok Imagine’s films', {
  ...xai,
  type: 'video',
  routes: [{ engine: 'xai', model: 'grok-imagine-video', parameters, covers }],
});

engineKills('Comfy Router', {
  beginsAtOnce: true,
  openFake: openFakeComfyRouter,
  variables: (fake) => ({ COMFY_API_KEY: fake.key, DARKROOM_COMFY_ROUTER_URL: fake.url }),
  idempotency: 'replays',
  routes: [{ engine: 'comfy-router', model: 'byteplus/seedream-4-5-251128', parameters, covers }],
});

engineKills('PixVerse', {
  openFake: openFakePixverse,
  variables: (fake) => ({ PIXVERSE_API_KEY: fake.key, DARKROOM_PIXVERSE_URL: fake.url }),
  type: 'video',
  routes: [
    {
      engine: 'pixverse',
      model: 'text/v6',
      parameters,
      covers,
      fixed: { duration: 5, quality: '720p', aspect_ratio: '16:9' },
    },
  ],
});

engineKills('Higgsfield', {
  beginsAtOnce: true,
  openFake: openFakeHiggsfield,
  variables: (fake) => ({ HF_CREDENTIALS: fake.key, DARKROOM_HIGGSFIELD_URL: fake.url }),
  idempotency: 'replays',
  routes: [{ engine: 'higgsfield', model: 'z-image/turbo', parameters, covers }],
});
