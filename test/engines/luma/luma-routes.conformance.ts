import { openFakeLuma } from '@darkroom-service/engines/fakes/luma';
import { createLumaEngine } from '@darkroom-service/engines/luma/luma-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('luma', {
  openFake: openFakeLuma,
  openEngine: (fake, tools) => createLumaEngine({ ...tools, url: fake.url }),
});
