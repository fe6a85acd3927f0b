import { openFakeIdeogram } from '@darkroom-service/engines/fakes/ideogram';
import { createIdeogramEngine } from '@darkroom-service/engines/ideogram/ideogram-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('ideogram', {
  openFake: openFakeIdeogram,
  openEngine: (fake, tools) => createIdeogramEngine({ ...tools, url: fake.url }),
});
