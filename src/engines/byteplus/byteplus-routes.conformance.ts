import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeArk } from '../../../test/fakes/ark.ts';
import { createByteplusEngine } from './byteplus-engine.ts';

await shippedRoutes('byteplus', {
  openFake: openFakeArk,
  openEngine: (fake, tools) => createByteplusEngine({ ...tools, url: fake.url }),
});
