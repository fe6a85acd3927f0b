import { createByteplusEngine } from '@darkroom-service/engines/adapters';
import { openFakeArk } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('byteplus', {
  openFake: openFakeArk,
  openEngine: (fake, tools) => createByteplusEngine({ ...tools, url: fake.url }),
});
