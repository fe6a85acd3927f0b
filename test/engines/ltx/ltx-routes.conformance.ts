import { createLtxEngine } from '@darkroom-service/engines/adapters';
import { openFakeLtx } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('ltx', {
  openFake: openFakeLtx,
  openEngine: (fake, tools) => createLtxEngine({ ...tools, url: fake.url }),
});
