import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeXai } from '../../../test/fakes/xai.ts';
import { createXaiEngine } from './xai-engine.ts';

await shippedRoutes('xai', {
  openFake: openFakeXai,
  openEngine: (fake, tools) => createXaiEngine({ ...tools, url: fake.url }),
});
