import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakePixverse } from '../../../test/fakes/pixverse.ts';
import { createPixverseEngine } from './pixverse-engine.ts';

await shippedRoutes('pixverse', {
  openFake: openFakePixverse,
  openEngine: (fake, tools) => createPixverseEngine({ ...tools, url: fake.url }),
});
