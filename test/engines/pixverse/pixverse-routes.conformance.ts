import { createPixverseEngine } from '@darkroom-service/engines/adapters';
import { openFakePixverse } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('pixverse', {
  openFake: openFakePixverse,
  openEngine: (fake, tools) => createPixverseEngine({ ...tools, url: fake.url }),
});
