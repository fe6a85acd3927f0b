import { createBflEngine } from '@darkroom-service/engines/bfl/bfl-engine';
import { openFakeBfl } from '@darkroom-service/engines/fakes/bfl';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('bfl', {
  openFake: openFakeBfl,
  openEngine: (fake, tools) => createBflEngine({ ...tools, url: fake.url }),
});
