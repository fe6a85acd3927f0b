import { openFakeComfy, openFakeSdServer } from '@darkroom-service/engines/fakes';
import { engineKills } from './engine-kills.ts';

const parameters = { prompt: 'prompt', width: 'width', height: 'height' };

engineKills('ComfyUI', {
  beginsAtOnce: true,
  idempotency: 'findable',
  isFree: true,
  openFake: openFakeComfy,
  routes: [{ engine: 'comfyui', model: 'sdxl-text-to-image', parameters }],
  variables: (fake) => ({
    DARKROOM_COMFYUI_URL: fake.url,
    DARKROOM_COMFYUI_AUTHORIZATION: `Bearer ${fake.key}`,
  }),
});

engineKills('sd-server', {
  beginsAtOnce: true,
  isFree: true,
  openFake: openFakeSdServer,
  routes: [{ engine: 'sd-server', model: 'img_gen', parameters }],
  variables: (fake) => ({ DARKROOM_SD_SERVER_URL: fake.url, DARKROOM_SD_SERVER_AUTHORIZATION: `Bearer ${fake.key}` }),
});
