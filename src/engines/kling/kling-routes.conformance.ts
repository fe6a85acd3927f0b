import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeKling } from '../../../test/fakes/kling.ts';
import { createKlingEngine } from './kling-engine.ts';

await shippedRoutes('kling', {
  openFake: openFakeKling,
  openEngine: (fake, tools) => createKlingEngine({ ...tools, url: fake.url }),
});
