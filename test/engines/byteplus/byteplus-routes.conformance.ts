import { createByteplusEngine } from '@darkroom-service/engines/byteplus/byteplus-engine';
import { openFakeArk } from '@darkroom-service/engines/fakes/ark';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('byteplus', {
  openFake: openFakeArk,
  openEngine: (fake, tools) => createByteplusEngine({ ...tools, url: fake.url }),
});
