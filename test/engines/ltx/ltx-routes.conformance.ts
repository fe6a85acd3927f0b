import { openFakeLtx } from '@darkroom-service/engines/fakes/ltx';
import { createLtxEngine } from '@darkroom-service/engines/ltx/ltx-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('ltx', {
  openFake: openFakeLtx,
  openEngine: (fake, tools) => createLtxEngine({ ...tools, url: fake.url }),
});
