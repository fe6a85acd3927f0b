import { openFakeGoogle } from '@darkroom-service/engines/fakes/google';
import { createGoogleEngine } from '@darkroom-service/engines/google/google-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('google', {
  openFake: openFakeGoogle,
  openEngine: (fake, tools) => createGoogleEngine({ ...tools, url: fake.url }),
});
