import { createBflEngine } from '@darkroom-service/engines/adapters';
import { openFakeBfl } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('bfl', {
  openFake: openFakeBfl,
  openEngine: (fake, tools) => createBflEngine({ ...tools, url: fake.url }),
});
