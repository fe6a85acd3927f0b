import { createLumaEngine } from '@darkroom-service/engines/adapters';
import { openFakeLuma } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('luma', {
  openFake: openFakeLuma,
  openEngine: (fake, tools) => createLumaEngine({ ...tools, url: fake.url }),
});
