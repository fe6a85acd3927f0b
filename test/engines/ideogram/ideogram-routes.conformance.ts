import { createIdeogramEngine } from '@darkroom-service/engines/adapters';
import { openFakeIdeogram } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('ideogram', {
  openFake: openFakeIdeogram,
  openEngine: (fake, tools) => createIdeogramEngine({ ...tools, url: fake.url }),
});
