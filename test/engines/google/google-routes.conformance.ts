import { createGoogleBatchEngine, createGoogleEngine } from '@darkroom-service/engines/adapters';
import { openFakeGoogle } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';
import { judgedAtOnce } from '../../helpers/judged-at-once.ts';

await shippedRoutes('google', {
  openFake: openFakeGoogle,
  openEngine: (fake, tools) => createGoogleEngine({ ...tools, url: fake.url }),
});

await shippedRoutes('google-batch', {
  openFake: openFakeGoogle,
  openEngine: (fake, tools) => judgedAtOnce(createGoogleBatchEngine({ ...tools, url: fake.url })),
});
