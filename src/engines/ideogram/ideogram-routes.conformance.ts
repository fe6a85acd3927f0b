import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeIdeogram } from '../../../test/fakes/ideogram.ts';
import { createIdeogramEngine } from './ideogram-engine.ts';

await shippedRoutes('ideogram', {
  openFake: openFakeIdeogram,
  openEngine: (fake, tools) => createIdeogramEngine({ ...tools, url: fake.url }),
});
