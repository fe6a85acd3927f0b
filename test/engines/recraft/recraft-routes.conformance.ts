import { createRecraftEngine } from '@darkroom-service/engines/adapters';
import { openFakeRecraft } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('recraft', {
  openFake: openFakeRecraft,
  openEngine: (fake, tools) => createRecraftEngine({ ...tools, url: fake.url }),
});
