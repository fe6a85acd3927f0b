import { openFakeHiggsfield } from '@darkroom-service/engines/fakes/higgsfield';
import { createHiggsfieldEngine } from '@darkroom-service/engines/higgsfield/higgsfield-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('higgsfield', {
  openFake: openFakeHiggsfield,
  openEngine: (fake, tools) => createHiggsfieldEngine({ ...tools, url: fake.url }),
});
