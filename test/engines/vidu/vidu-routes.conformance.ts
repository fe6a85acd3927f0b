import { createViduEngine } from '@darkroom-service/engines/adapters';
import { openFakeVidu } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('vidu', {
  openFake: openFakeVidu,
  openEngine: (fake, tools) => createViduEngine({ ...tools, url: fake.url }),
});
