import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeBfl } from '../../../test/fakes/bfl.ts';
import { createBflEngine } from './bfl-engine.ts';

await shippedRoutes('bfl', {
  openFake: openFakeBfl,
  openEngine: (fake, tools) => createBflEngine({ ...tools, url: fake.url }),
});
