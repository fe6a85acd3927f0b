import { openFakePixverse } from '@darkroom-service/engines/fakes/pixverse';
import { createPixverseEngine } from '@darkroom-service/engines/pixverse/pixverse-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('pixverse', {
  openFake: openFakePixverse,
  openEngine: (fake, tools) => createPixverseEngine({ ...tools, url: fake.url }),
});
