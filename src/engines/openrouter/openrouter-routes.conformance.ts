import { shippedRoutes } from '../../../test/catalog-routes.ts';
import { openFakeOpenRouter } from '../../../test/fakes/openrouter.ts';
import { createOpenRouterEngine } from './openrouter-engine.ts';

await shippedRoutes('openrouter', {
  openFake: openFakeOpenRouter,
  openEngine: (fake, tools) => createOpenRouterEngine({ ...tools, url: fake.url }),
});
