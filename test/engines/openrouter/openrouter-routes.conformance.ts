import { openFakeOpenRouter } from '@darkroom-service/engines/fakes/openrouter';
import { createOpenRouterEngine } from '@darkroom-service/engines/openrouter/openrouter-engine';
import { shippedRoutes } from '../../catalog-routes.ts';

await shippedRoutes('openrouter', {
  openFake: openFakeOpenRouter,
  openEngine: (fake, tools) => createOpenRouterEngine({ ...tools, url: fake.url }),
});
