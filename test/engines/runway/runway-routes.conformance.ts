import { createRunwayEngine } from '@darkroom-service/engines/adapters';
import { openFakeRunway } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('runway', {
  openFake: openFakeRunway,
  openEngine: (fake, tools) => createRunwayEngine({ ...tools, url: fake.url }),
});
