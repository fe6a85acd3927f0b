import { openFakeVidu } from '@darkroom-service/engines/fakes/vidu';
import { createViduEngine } from '@darkroom-service/engines/vidu/vidu-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('vidu', {
  openFake: openFakeVidu,
  openEngine: (fake, tools) => createViduEngine({ ...tools, url: fake.url }),
});
