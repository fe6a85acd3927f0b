import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeVidu } from '../../../test/fakes/vidu.ts';
import { createViduEngine } from './vidu-engine.ts';

await shippedRoutes('vidu', {
  openFake: openFakeVidu,
  openEngine: (fake, tools) => createViduEngine({ ...tools, url: fake.url }),
});
