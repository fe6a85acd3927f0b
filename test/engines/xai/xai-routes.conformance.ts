import { createXaiEngine } from '@darkroom-service/engines/adapters';
import { openFakeXai } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('xai', {
  openFake: openFakeXai,
  openEngine: (fake, tools) => createXaiEngine({ ...tools, url: fake.url }),
});
