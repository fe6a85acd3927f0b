import { createHeygenEngine } from '@darkroom-service/engines/adapters';
import { openFakeHeygen } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('heygen', {
  openFake: openFakeHeygen,
  openEngine: (fake, tools) => createHeygenEngine({ ...tools, url: fake.url }),
});
