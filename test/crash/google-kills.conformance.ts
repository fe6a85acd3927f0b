import { openFakeGoogle, openFakeVertex, vertexKeyFile } from '@darkroom-service/engines/fakes';
import { engineKills, type KillHarness } from './engine-kills.ts';

const covers = ['aspect_ratio'];

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

engineKills('Veo', {
  openFake: openFakeVertex,
  variables: (fake) => ({ DARKROOM_VERTEX_CREDENTIALS: vertexKeyFile(fake), DARKROOM_VERTEX_URL: fake.url }),
  type: 'video',
  routes: [
    {
      engine: 'vertex',
      model: 'veo-3.1-generate-001',
      parameters: { prompt: 'instances.0.prompt' },
      fixed: { 'parameters.durationSeconds': 8 },
      covers,
    },
  ],
});
