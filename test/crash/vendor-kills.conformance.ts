import { openFakeArk } from '../fakes/ark.ts';
import { openFakeGoogle } from '../fakes/google.ts';
import { openFakeXai } from '../fakes/xai.ts';
import { engineKills, type KillHarness } from './engine-kills.ts';

const parameters = { prompt: 'prompt' };
const covers = ['aspect_ratio'];

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

const google = {
  openFake: openFakeGoogle,
  variables: (fake) => ({ GEMINI_API_KEY: fake.key, DARKROOM_GOOGLE_URL: fake.url }),
} satisfies Partial<KillHarness>;

engineKills('Gemini', {
  ...google,
  blocking: true,
  routes: [
    {
      engine: 'google',
      model: 'gemini-3-pro-image',
      parameters: { prompt: { to: 'parts[]', shape: { text: '$' } } },
      fixed: { 'generationConfig.responseModalities': ['IMAGE'] },
      covers,
    },
  ],
});

engineKills('Veo', {
  ...google,
  type: 'video',
  routes: [{ engine: 'google', model: 'veo-3.1-generate-preview', parameters: { prompt: 'instance.prompt' }, covers }],
});

engineKills('Omni', {
  ...google,
  type: 'video',
  routes: [
    {
      engine: 'google',
      model: 'gemini-omni-1.1-flash',
      parameters: { prompt: { to: 'content[]', shape: { type: 'text', text: '$' } } },
      fixed: { response_modalities: ['video'], 'response_format.type': 'video', 'response_format.duration': '8s' },
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
