import {
  openFakeFal,
  openFakeGoogle,
  openFakeKling,
  openFakeOpenAi,
  openFakeReplicate,
} from '@darkroom-service/engines/fakes';
import { engineKills } from './engine-kills.ts';

const PROMPT = { prompt: { type: 'string', required: true } } as const;
const parameters = { prompt: 'prompt' };
const covers = ['aspect_ratio'];

engineKills('fal', {
  beginsAtOnce: true,
  openFake: () => openFakeFal({ 'fal-ai/fox': PROMPT }),
  routes: [{ engine: 'fal', model: 'fal-ai/fox', parameters, covers }],
  variables: (fake) => ({ FAL_KEY: fake.key, DARKROOM_FAL_URL: fake.url }),
});

engineKills('Replicate', {
  beginsAtOnce: true,
  openFake: () => openFakeReplicate({ 'foxes/fox-2': PROMPT }),
  routes: [{ engine: 'replicate', model: 'foxes/fox-2', parameters, covers }],
  variables: (fake) => ({ REPLICATE_API_TOKEN: fake.key, DARKROOM_REPLICATE_URL: fake.url }),
});

engineKills('Kling', {
  idempotency: 'refuses_duplicates',
  openFake: openFakeKling,
  routes: [{ engine: 'kling', model: 'text-to-video/kling-3.0-turbo', parameters, covers }],
  variables: (fake) => ({ KLING_API_KEY: fake.key, DARKROOM_KLING_URL: fake.url }),
});

engineKills("OpenAI's Batch API", {
  beginsAtOnce: true,
  idempotency: 'findable',
  openFake: openFakeOpenAi,
  routes: [{ engine: 'openai-batch', model: 'gpt-image-2', parameters, covers }],
  variables: (fake) => ({ OPENAI_API_KEY: fake.key, DARKROOM_OPENAI_URL: fake.url }),
});

engineKills("Google's Batch API", {
  beginsAtOnce: true,
  idempotency: 'findable',
  openFake: openFakeGoogle,
  routes: [
    {
      engine: 'google-batch',
      model: 'gemini-3-pro-image',
      parameters: { prompt: { to: 'parts[]', shape: { text: '$' } } },
      covers,
      fixed: { 'generationConfig.responseModalities': ['IMAGE'] },
    },
  ],
  variables: (fake) => ({ GEMINI_API_KEY: fake.key, DARKROOM_GOOGLE_URL: fake.url }),
});
