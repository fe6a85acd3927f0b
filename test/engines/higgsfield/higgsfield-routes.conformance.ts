import { createHiggsfieldEngine } from '@darkroom-service/engines/adapters';
import { openFakeHiggsfield } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('higgsfield', {
  openFake: openFakeHiggsfield,
  openEngine: (fake, tools) => createHiggsfieldEngine({ ...tools, url: fake.url }),
});
