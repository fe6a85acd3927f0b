import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeLtx } from '../../../test/fakes/ltx.ts';
import { createLtxEngine } from './ltx-engine.ts';

await shippedRoutes('ltx', {
  openFake: openFakeLtx,
  openEngine: (fake, tools) => createLtxEngine({ ...tools, url: fake.url }),
});
