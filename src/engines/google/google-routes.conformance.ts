import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeGoogle } from '../../../test/fakes/google.ts';
import { createGoogleEngine } from './google-engine.ts';

await shippedRoutes('google', {
  openFake: openFakeGoogle,
  openEngine: (fake, tools) => createGoogleEngine({ ...tools, url: fake.url }),
});
