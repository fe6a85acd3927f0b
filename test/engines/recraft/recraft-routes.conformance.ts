import { openFakeRecraft } from '@darkroom-service/engines/fakes/recraft';
import { createRecraftEngine } from '@darkroom-service/engines/recraft/recraft-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('recraft', {
  openFake: openFakeRecraft,
  openEngine: (fake, tools) => createRecraftEngine({ ...tools, url: fake.url }),
});
