import { openFakeKling } from '@darkroom-service/engines/fakes/kling';
import { createKlingEngine } from '@darkroom-service/engines/kling/kling-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('kling', {
  openFake: openFakeKling,
  openEngine: (fake, tools) => createKlingEngine({ ...tools, url: fake.url }),
});
