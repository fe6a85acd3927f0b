import { openFakeXai } from '@darkroom-service/engines/fakes/xai';
import { createXaiEngine } from '@darkroom-service/engines/xai/xai-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('xai', {
  openFake: openFakeXai,
  openEngine: (fake, tools) => createXaiEngine({ ...tools, url: fake.url }),
});
