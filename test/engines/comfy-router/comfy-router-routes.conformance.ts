import { createComfyRouterEngine } from '@darkroom-service/engines/adapters';
import { openFakeComfyRouter } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('comfy-router', {
  openFake: openFakeComfyRouter,
  openEngine: (fake, tools) => createComfyRouterEngine({ ...tools, url: fake.url }),
});
