import { createOpenRouterEngine } from '@darkroom-service/engines/adapters';
import { openFakeOpenRouter } from '@darkroom-service/engines/fakes';
import { shippedRoutes } from '../../helpers/catalog-routes.ts';

await shippedRoutes('openrouter', {
  openFake: openFakeOpenRouter,
  openEngine: (fake, tools) => createOpenRouterEngine({ ...tools, url: fake.url }),
});
