import { createComfyRouterEngine } from '@darkroom-service/engines/comfy-router/comfy-router-engine';
import { openFakeComfyRouter } from '@darkroom-service/engines/fakes/comfy-router';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('comfy-router', {
  openFake: openFakeComfyRouter,
  openEngine: (fake, tools) => createComfyRouterEngine({ ...tools, url: fake.url }),
});
