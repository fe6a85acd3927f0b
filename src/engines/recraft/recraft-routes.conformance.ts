import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeRecraft } from '../../../test/fakes/recraft.ts';
import { createRecraftEngine } from './recraft-engine.ts';

await shippedRoutes('recraft', {
  openFake: openFakeRecraft,
  openEngine: (fake, tools) => createRecraftEngine({ ...tools, url: fake.url }),
});
