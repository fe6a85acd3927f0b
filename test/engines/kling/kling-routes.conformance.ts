import { createKlingEngine } from '@darkroom-service/engines/adapters';
import { openFakeKling } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('kling', {
  openFake: openFakeKling,
  openEngine: (fake, tools) => createKlingEngine({ ...tools, url: fake.url }),
});
