import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeLuma } from '../../../test/fakes/luma.ts';
import { createLumaEngine } from './luma-engine.ts';

await shippedRoutes('luma', {
  openFake: openFakeLuma,
  openEngine: (fake, tools) => createLumaEngine({ ...tools, url: fake.url }),
});
