import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeComfyRouter } from '../../../test/fakes/comfy-router.ts';
import { createComfyRouterEngine } from './comfy-router-engine.ts';

await shippedRoutes('comfy-router', {
  openFake: openFakeComfyRouter,
  openEngine: (fake, tools) => createComfyRouterEngine({ ...tools, url: fake.url }),
});
