import { openFakeHeygen } from '@darkroom-service/engines/fakes/heygen';
import { createHeygenEngine } from '@darkroom-service/engines/heygen/heygen-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('heygen', {
  openFake: openFakeHeygen,
  openEngine: (fake, tools) => createHeygenEngine({ ...tools, url: fake.url }),
});
