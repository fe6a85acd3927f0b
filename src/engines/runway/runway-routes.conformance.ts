import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeRunway } from '../../../test/fakes/runway.ts';
import { createRunwayEngine } from './runway-engine.ts';

await shippedRoutes('runway', {
  openFake: openFakeRunway,
  openEngine: (fake, tools) => createRunwayEngine({ ...tools, url: fake.url }),
});
