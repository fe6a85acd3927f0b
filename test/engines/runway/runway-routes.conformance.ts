import { openFakeRunway } from '@darkroom-service/engines/fakes/runway';
import { createRunwayEngine } from '@darkroom-service/engines/runway/runway-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('runway', {
  openFake: openFakeRunway,
  openEngine: (fake, tools) => createRunwayEngine({ ...tools, url: fake.url }),
});
